"""Takes a call with the LiveKit worker, and prints what happened as JSON.

Stands in for LiveKit, which is not installed: its session plays a model that calls the tools in the first argument.
The second argument is the metadata of the dispatch. The third lists other callers that the worker describes.
"""

import asyncio
import json
import sys
import types
from unittest.mock import MagicMock

script, metadata, callers = json.loads(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
seen = {"said": [], "outputs": [], "transfers": [], "servers": []}


class Tool:
    """A function tool, with the schema that the model gets."""

    def __init__(self, run, raw_schema):
        self.run, self.schema = run, raw_schema


class Agent:
    def __init__(self, *, instructions, tools):
        seen["instructions"] = instructions
        seen["tools"] = [tool.schema for tool in tools if isinstance(tool, Tool)]
        self.tools = {tool.schema["name"]: tool for tool in tools if isinstance(tool, Tool)}


class AgentSession:
    """Calls the tools of the script one after the other, and keeps the items of the conversation."""

    def __init__(self, **_):
        self.items = [{"id": "1", "type": "message", "role": "user", "content": ["Hello?"], "created_at": 1.79e9}]
        self.history = types.SimpleNamespace(to_dict=lambda **_: {"items": self.items})
        self.usage = types.SimpleNamespace(model_usage=[])
        self.listeners = []

    def on(self, _):
        return self.listeners.append

    def say(self, text):
        seen["said"].append(text)
        spoken = asyncio.get_running_loop().create_future()
        spoken.set_result(None)
        return spoken

    async def start(self, *, agent, room):
        for number, (name, arguments) in enumerate(script):
            call = {"call_id": f"call_{number}", "name": name}
            speech = types.SimpleNamespace(add_done_callback=lambda done: done(None))
            context = types.SimpleNamespace(
                session=self, speech_handle=speech, function_call=types.SimpleNamespace(**call)
            )
            output = await agent.tools[name].run(arguments, context)
            seen["outputs"].append(output)
            self.items.append({"id": f"c{number}", "type": "function_call", "arguments": json.dumps(arguments), **call})
            self.items.append({"id": f"o{number}", "type": "function_call_output", "output": output, **call})

    def shutdown(self):
        for listener in self.listeners:
            listener(types.SimpleNamespace(reason=types.SimpleNamespace(value="ended by the assistant")))


class Context:
    """The job of a call on the phone."""

    def __init__(self):
        self.job = types.SimpleNamespace(metadata=metadata)
        self.room = types.SimpleNamespace(name=seen.setdefault("room", f"room-{id(self)}"))
        self.callbacks = []

    async def connect(self):
        pass

    async def wait_for_participant(self):
        attributes = {"sip.callID": "1", "sip.ruleID": "2", "sip.phoneNumber": "+49301", "sip.trunkPhoneNumber": "+49302"}
        return types.SimpleNamespace(identity="sip_1", name="Ann", attributes=attributes)

    def add_shutdown_callback(self, callback):
        self.callbacks.append(callback)

    def shutdown(self, reason):
        seen["reason"] = reason

    async def transfer_sip_participant(self, caller, to):
        seen["transfers"].append([caller, to])

    async def delete_room(self):
        seen["hung_up"] = True


agents = types.ModuleType("livekit.agents")
agents.Agent, agents.AgentSession, agents.function_tool = Agent, AgentSession, Tool
agents.AgentServer = lambda: types.SimpleNamespace(rtc_session=lambda: lambda take_call: take_call)
agents.mcp = types.SimpleNamespace(
    MCPServerHTTP=lambda url, **options: {"url": url, **options},
    MCPToolset=lambda **options: seen["servers"].append(options),
)
agents.CloseEvent = agents.JobContext = agents.RunContext = agents.cli = object
sys.modules.update({"livekit": types.ModuleType("livekit"), "livekit.agents": agents, "livekit.plugins": MagicMock()})
sys.path[:0] = ["docs/workers", "clients/python"]

import livekit_worker as worker  # noqa: E402

start_call = worker.start_call


def record(*arguments):
    seen["configuration"] = start_call(*arguments)
    return seen["configuration"]


async def open_door(arguments):
    return f"opened {arguments['door']}"


async def main():
    worker.start_call = record
    worker.client_tools["open_door"] = open_door
    context = Context()
    await worker.take_call(context)
    seen["described"] = [worker.describe_call("a room", types.SimpleNamespace(**caller)) for caller in callers]
    for callback in context.callbacks:
        await (callback(seen.get("reason", "")) if callback.__name__ == "save" else callback())


asyncio.run(main())
print(json.dumps(seen))
