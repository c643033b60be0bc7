"""Calls methods of the Python client, given as JSON on the standard input, and prints what they return as JSON."""

import base64
import json
import sys
import time
from itertools import islice

from voice_assistants import ApiError, Client, InvalidWebhook, verify_webhook


def find(client, method):
    """Returns the method of a client by its path, such as `logs.iterate_sessions`."""
    for name in method.split("."):
        client = getattr(client, name)
    return client


def run(step):
    if "webhook" in step:
        given = step["webhook"]
        return {"returned": verify_webhook(given["body"], given["headers"], given["secret"])}
    client = Client(**step["client"])
    named = {
        name: base64.b64decode(value) if name == "file" else value for name, value in step.get("named", {}).items()
    }
    returned = find(client, step["method"])(*step.get("given", []), **named)
    if hasattr(returned, "body"):
        return {"returned": returned.body, "etag": returned.etag, "request_id": returned.request_id}
    pieces = []
    try:
        for piece in islice(returned, step.get("most", 1000)):
            pieces.append(piece)
    except ApiError as error:
        return {**describe(error), "returned": pieces}
    return {"returned": pieces}


def describe(error):
    names = ("status", "type", "faults", "request_id", "retry_after", "is_temporary")
    return {"error": {"message": str(error), **{name: getattr(error, name) for name in names}}}


def try_step(step):
    started = time.monotonic()
    try:
        result = run(step)
    except ApiError as error:
        result = describe(error)
    except InvalidWebhook as error:
        result = {"invalid": str(error)}
    except (TypeError, ValueError) as error:
        result = {"failed": str(error)}
    return {**result, "seconds": time.monotonic() - started}


print(json.dumps([try_step(step) for step in json.load(sys.stdin)]))
