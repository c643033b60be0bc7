"""Calls the tools of the Pipecat worker, and reports metrics to its observer. Prints what happened as JSON.

Stands in for Pipecat, which is not installed. The first argument is the id of the assistant, the second the calls.
"""

import asyncio
import json
import sys
import types
from unittest.mock import MagicMock

assistant_id, script = sys.argv[1], json.loads(sys.argv[2])


class Finder:
    """Lets every module of Pipecat be imported. What the tools use is real, the rest is a mock."""

    def find_spec(self, name, *_):
        if name.split(".")[0] in ("pipecat", "mcp"):
            from importlib.machinery import ModuleSpec

            return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        for name, value in real.items():
            setattr(module, name, value)
        return module

    def exec_module(self, module):
        pass


class FunctionSchema:
    def __init__(self, name, description, properties, required, handler):
        self.name, self.properties, self.required, self.handler = name, properties, required, handler


class Frame:
    def __init__(self, text=None):
        self.text = text


class EndWorkerFrame(Frame):
    pass


class MetricsFrame:
    def __init__(self, id, data):
        self.id, self.data = id, data


class Metric:
    def __init__(self, model, value):
        self.model, self.value = model, value


class LLMUsageMetricsData(Metric):
    pass


class TTSUsageMetricsData(Metric):
    pass


class BaseObserver:
    pass


class MCPClient:
    """A server with one tool. Connected as in Pipecat 1.7: some servers fail, some cancel, some never answer."""

    def __init__(self, parameters, tools_filter):
        self.url, self.tools_filter = parameters["url"], tools_filter

    async def __aenter__(self):
        if "refuses" in self.url:
            raise ConnectionError("refused")
        if "cancels" in self.url:
            raise asyncio.CancelledError
        if "hangs" in self.url:
            await asyncio.sleep(60)
        servers.append([self.url, "connected"])
        return self

    async def __aexit__(self, *_):
        servers.append([self.url, "closed"])

    async def register_tools(self, llm):
        schemas = [FunctionSchema(name, "", {}, [], None) for name in self.tools_filter]
        return types.SimpleNamespace(standard_tools=schemas)


servers = []


real = {
    one.__name__: one
    for one in (FunctionSchema, MCPClient, EndWorkerFrame, MetricsFrame, LLMUsageMetricsData, TTSUsageMetricsData, BaseObserver)
}
real["TTSSpeakFrame"] = Frame
sys.meta_path.insert(0, Finder())
sys.path[:0] = ["docs/workers", "clients/python"]

import pipecat_worker as worker  # noqa: E402


async def main():
    configuration = worker.start_call(worker.api, assistant_id)
    for name in ("refuses", "cancels", "hangs"):
        configuration["mcp_servers"].append(
            {**configuration["mcp_servers"][0], "name": name, "url": f"https://{name}.example.com"}
        )
    worker.mcp_timeout = 0.5
    worker.StreamableHttpParameters = dict
    ended = asyncio.Event()
    tools = {tool.name: tool for tool in await worker.build_tools(configuration, None, ended)}
    results, frames = [], []
    for number, (name, arguments) in enumerate(script):

        async def push_frame(frame):
            frames.append([type(frame).__name__, frame.text])

        async def keep(result):
            results.append(result)

        llm = types.SimpleNamespace(push_frame=push_frame)
        call = {"arguments": arguments, "tool_call_id": f"call_{number}", "llm": llm, "result_callback": keep}
        await tools[name].handler(types.SimpleNamespace(**call))

    usage = worker.Usage(configuration)
    used = types.SimpleNamespace(prompt_tokens=100, cache_read_input_tokens=None, completion_tokens=20)
    for id in (1, 1, 2):  # each processor passes a frame on
        data = [LLMUsageMetricsData("gpt", used), TTSUsageMetricsData("sonic", 7)]
        await usage.on_push_frame(types.SimpleNamespace(frame=MetricsFrame(id, data)))
    ended.set()
    await asyncio.sleep(0.01)
    seen = {"tools": list(tools), "results": results, "frames": frames, "usage": usage.to_list(), "servers": servers}
    print(json.dumps(seen))


asyncio.run(main())
