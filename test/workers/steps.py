"""Runs a worker's steps, given as JSON in the first argument, and prints their results as JSON."""

import json
import sys
from datetime import datetime

sys.path.insert(0, "clients/python")
from voice_assistants import Vendor, drop, worker  # noqa: E402

api = worker.from_environment()


def make_voice_settings(*, speed=None, stability=0.5):
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
            elevenlabs, {"voice": "voice_id", "language": drop}, group=("voice_settings", make_voice_settings)
        ),
    },
    "llm": {},
    "transcriber": {
        "deepgram": Vendor(deepgram, {"model": lambda model: {"models": [model]}, "language": drop}),
        "deepgram/flux-general-en": Vendor(deepgram, {"model": drop, "language": drop}, lambda key: {"token": key}),
    },
}


def build(argument):
    configuration = worker.load(api, argument["assistant_id"])
    vendor, key = worker.choose_vendor(configuration, argument["role"], vendors)
    return {**vendor.key(key), **worker.fit_settings(configuration, argument["role"], vendor, vendor.make)}


def build_log(argument):
    return worker.call_log("", "", datetime.fromisoformat(argument[0]), [], datetime.fromisoformat(argument[1]))


def write_older_copy(assistant_id):
    path = api.folder / "configurations" / f"{assistant_id}.json"
    copy = json.loads(path.read_text())
    path.write_text(json.dumps({**copy, "until": 0, "read_at": 0, "configuration": {"name": "Older"}}))


steps = {
    "load": lambda assistant_id: worker.load(api, assistant_id),
    "write older copy": write_older_copy,
    "start": lambda argument: worker.start_call(api, argument[0], {"room_name": argument[1]}, {}, *argument[2:]),
    "credential": lambda argument: worker.get_credential(worker.load(api, argument["assistant_id"]), argument["role"]),
    "choose": lambda argument: worker.choose_assistant(*argument),
    "variables": lambda metadata: worker.choose_variables(metadata),
    "version": lambda metadata: worker.choose_version(metadata),
    "build": build,
    "log": build_log,
    "call tool": lambda name: worker.call_tool(api, {"tools": []}, name, {}),
    "save": lambda log: worker.save_call(api, log),
    "send waiting": lambda _: worker.send_waiting(api),
}


def try_step(name, argument):
    try:
        return {"returned": steps[name](argument)}
    except worker.ApiError as error:
        return {"unavailable": True} if error.is_temporary else {"refused": error.status}
    except LookupError as error:
        return {"failed": str(error)}


print(json.dumps([try_step(name, argument) for name, argument in json.loads(sys.argv[1])]))
