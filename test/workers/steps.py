"""Takes the steps of a worker that its argument names, in a process of their own, and prints what each gave."""

import json
import sys

sys.path.insert(0, "docs/workers")
import voice_assistants as worker  # noqa: E402

api = worker.from_environment()
steps = {
    "load": lambda assistant_id: worker.load(api, assistant_id),
    "credential": lambda asked: worker.credential_of(worker.load(api, asked["assistant_id"]), asked["role"]),
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
