"""Takes the steps of a worker that its argument names, in a process of their own, and prints what each gave."""

import json
import sys
from datetime import datetime

sys.path.insert(0, "docs/workers")
import voice_assistants as worker  # noqa: E402
from voice_assistants import Vendor, drop  # noqa: E402

api = worker.from_environment()


def manner(*, speed=None, stability=0.5):
    return {"speed": speed, "stability": stability}


def cartesia(*, api_key, model=None, voice=None, language=None, speed=None, base_url=None):
    pass


def elevenlabs(*, api_key, model=None, voice_id=None, language_code=None, voice_settings=None):
    pass


def deepgram(*, api_key, models=None):
    pass


vendors = {
    "voice": {
        "cartesia": Vendor(cartesia),
        "elevenlabs": Vendor(
            elevenlabs, {"voice": "voice_id", "language": drop}, group=("voice_settings", manner)
        ),
    },
    "llm": {},
    "transcriber": {
        "deepgram": Vendor(deepgram, {"model": lambda model: {"models": [model]}, "language": drop}),
        "deepgram/flux-general-en": Vendor(deepgram, {"model": drop, "language": drop}, lambda key: {"token": key}),
    },
}


def build(asked):
    configuration = worker.load(api, asked["assistant_id"])
    vendor, key = worker.choose_vendor(configuration, asked["role"], vendors)
    return {**vendor.key(key), **worker.fit_settings(configuration, asked["role"], vendor, vendor.make)}


def log_of(asked):
    return worker.call_log("", "", datetime.fromisoformat(asked[0]), [], datetime.fromisoformat(asked[1]))


steps = {
    "load": lambda assistant_id: worker.load(api, assistant_id),
    "credential": lambda asked: worker.credential_of(worker.load(api, asked["assistant_id"]), asked["role"]),
    "choose": lambda asked: worker.choose_assistant(*asked),
    "build": build,
    "log": log_of,
    "save": lambda log: worker.save_call(api, log),
    "send waiting": lambda _: worker.send_waiting(api),
}


def taken(name, argument):
    try:
        return {"gave": steps[name](argument)}
    except worker.Refused as error:
        return {"refused": error.status}
    except worker.Unavailable:
        return {"unavailable": True}
    except LookupError as error:
        return {"failed": str(error)}


print(json.dumps([taken(name, argument) for name, argument in json.loads(sys.argv[1])]))
