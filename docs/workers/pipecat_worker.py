"""Worker for Pipecat 1.x. Runs calls as the assistant is configured, and saves their logs.

In this folder of a clone of the repository:

    pip install "pipecat-ai[anthropic,assemblyai,cartesia,deepgram,elevenlabs,google,groq,inworld]~=1.7" \
      "pipecat-ai[mcp,mistral,openai,rime,runner,silero,soniox,speechmatics,webrtc,xai]~=1.7" ../../clients/python
    python pipecat_worker.py

Open the address that it prints in a browser and talk. Set VOICE_ASSISTANTS_URL, VOICE_ASSISTANTS_KEY and ASSISTANT_ID.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timezone
from uuid import uuid4

from mcp.client.session_group import SseServerParameters, StreamableHttpParameters
from pipecat.adapters.schemas.function_schema import FunctionSchema
from pipecat.adapters.schemas.tools_schema import ToolsSchema
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.frames.frames import EndWorkerFrame, MetricsFrame, TTSSpeakFrame
from pipecat.metrics.metrics import LLMUsageMetricsData, TTSUsageMetricsData
from pipecat.observers.base_observer import BaseObserver, FramePushed
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.runner.types import RunnerArguments
from pipecat.runner.utils import create_transport
from pipecat.services.anthropic.llm import AnthropicLLMService
from pipecat.services.assemblyai.stt import AssemblyAISTTService
from pipecat.services.cartesia.stt import CartesiaSTTService
from pipecat.services.cartesia.tts import CartesiaTTSService, GenerationConfig
from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat.services.deepgram.tts import DeepgramTTSService
from pipecat.services.elevenlabs.stt import ElevenLabsRealtimeSTTService
from pipecat.services.elevenlabs.tts import ElevenLabsTTSService
from pipecat.services.google.llm import GoogleLLMService
from pipecat.services.google.stt import GoogleSTTService
from pipecat.services.google.tts import GoogleTTSService
from pipecat.services.groq.llm import GroqLLMService
from pipecat.services.groq.stt import GroqSTTService
from pipecat.services.inworld.tts import InworldTTSService
from pipecat.services.llm_service import FunctionCallParams, LLMService
from pipecat.services.mcp_service import MCPClient
from pipecat.services.mistral.llm import MistralLLMService
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.services.rime.tts import RimeTTSService
from pipecat.services.soniox.stt import SonioxSTTService
from pipecat.services.speechmatics.stt import SpeechmaticsSTTService
from pipecat.services.xai.llm import GrokLLMService
from pipecat.transcriptions.language import Language
from pipecat.transports.base_transport import TransportParams
from pipecat.workers.runner import WorkerRunner

from voice_assistants import (
    Vendor,
    call_log,
    call_tool,
    choose_assistant,
    choose_variables,
    choose_vendor,
    choose_version,
    drop,
    fit_settings,
    from_environment,
    get_texts,
    list_tools,
    save_call,
    send_waiting,
    start_call,
)

api = from_environment()
logger = logging.getLogger("pipecat_worker")


def service_account(key: str) -> dict:
    """Returns the arguments for Google's speech services: the credential's key is a service account in JSON."""
    return {"credentials": key}


# Supported vendors for each role. Add yours, and remove those that you do not install.
vendors = {
    "transcriber": {
        "assemblyai": Vendor(AssemblyAISTTService, {"language": drop}),  # the model decides the language
        "cartesia": Vendor(CartesiaSTTService),
        "deepgram": Vendor(DeepgramSTTService),
        "elevenlabs": Vendor(ElevenLabsRealtimeSTTService),
        "google": Vendor(
            GoogleSTTService,
            {"language": lambda code: {"languages": [Language(code)]}},
            service_account,
        ),
        "groq": Vendor(GroqSTTService),
        "openai": Vendor(OpenAISTTService),
        "soniox": Vendor(SonioxSTTService, {"language": lambda code: {"language_hints": [Language(code)]}}),
        "speechmatics": Vendor(
            SpeechmaticsSTTService,
            {"model": lambda model: {"operating_point": SpeechmaticsSTTService.OperatingPoint(model)}},
        ),
    },
    "llm": {
        "anthropic": Vendor(AnthropicLLMService),
        "google": Vendor(GoogleLLMService),
        "groq": Vendor(GroqLLMService),
        "mistralai": Vendor(MistralLLMService),
        "openai": Vendor(OpenAILLMService),
        "xai": Vendor(GrokLLMService),
    },
    "voice": {
        "cartesia": Vendor(CartesiaTTSService, group=("generation_config", GenerationConfig)),
        "deepgram": Vendor(DeepgramTTSService, {"model": drop}),
        "elevenlabs": Vendor(ElevenLabsTTSService),
        "google": Vendor(GoogleTTSService, {"model": drop}, service_account),
        "inworld": Vendor(InworldTTSService),
        "openai": Vendor(OpenAITTSService),
        "rime": Vendor(RimeTTSService),
    },
}


def build(configuration: dict, role: str, **more):
    """Builds the vendor of a role with the assistant's settings."""
    vendor, key = choose_vendor(configuration, role, vendors)
    Settings = vendor.make.Settings
    settings = {**fit_settings(configuration, role, vendor, Settings), **more}
    return vendor.make(**vendor.key(key), settings=Settings(**settings))


# Your code for tools of type `client`, by name. It gets the arguments, and returns what the model should read.
client_tools: dict[str, Callable[[Mapping], Awaitable[object]]] = {}


# Seconds that a caller waits for the MCP servers at most.
mcp_timeout = 5.0


async def connect(server: dict, llm: LLMService, ended: asyncio.Event) -> list[FunctionSchema]:
    """Returns the tools of an MCP server, connected until the call has ended. Empty if it cannot be reached."""
    make = SseServerParameters if server["transport"] == "sse" else StreamableHttpParameters
    found = asyncio.get_running_loop().create_future()

    async def stay_connected() -> None:
        # The task that opens the connection has to close it, and is cancelled if the server fails.
        parameters = make(url=server["url"], headers=server["headers"])
        async with MCPClient(parameters, tools_filter=server["allowed_tools"]) as client:
            found.set_result((await client.register_tools(llm)).standard_tools)
            await ended.wait()

    task = asyncio.create_task(stay_connected())
    await asyncio.wait([task, found], timeout=mcp_timeout, return_when=asyncio.FIRST_COMPLETED)
    if found.done():
        return found.result()
    reason = (task.exception() if task.done() and not task.cancelled() else None) or "no answer"
    task.cancel()
    logger.warning("The MCP server %s cannot be reached (%s): the call goes on without it", server["name"], reason)
    return []


async def build_tools(configuration: dict, llm: LLMService, ended: asyncio.Event) -> list[FunctionSchema]:
    """Builds Pipecat's tools from those of the assistant and of its MCP servers. It has no way to transfer a call."""

    def build_tool(tool: dict) -> FunctionSchema:
        async def run(params: FunctionCallParams) -> None:
            if tool["say"]["start"]:
                await params.llm.push_frame(TTSSpeakFrame(tool["say"]["start"]))
            if tool["type"] == "end_call":
                await params.result_callback("The call ends.")
                await params.llm.push_frame(EndWorkerFrame())
                return
            if tool["type"] == "client":
                result = await client_tools[tool["name"]](params.arguments)
            else:
                arguments, call_id = dict(params.arguments), params.tool_call_id
                result = await asyncio.to_thread(call_tool, api, configuration, tool["name"], arguments, call_id)
            await params.result_callback(result)

        parameters = tool["parameters"]
        properties, required = parameters.get("properties", {}), parameters.get("required", [])
        return FunctionSchema(tool["name"], tool["description"], properties, required, handler=run)

    def is_usable(tool: dict) -> bool:
        return tool["type"] != "transfer" and (tool["type"] != "client" or tool["name"] in client_tools)

    tools = [build_tool(tool) for tool in list_tools(configuration) if is_usable(tool)]
    servers = [server for server in configuration.get("mcp_servers", []) if not server["unavailable"]]
    for found in await asyncio.gather(*(connect(server, llm, ended) for server in servers)):
        tools += found
    return tools


class Usage(BaseObserver):
    """Adds up what the language model and the voice used. Pipecat reports it in metrics, without the vendor."""

    def __init__(self, configuration: dict) -> None:
        super().__init__()
        self._assistant = configuration["assistant"]
        self._seen: set[int] = set()
        self._entries: dict[tuple[str, str], dict] = {}

    async def on_push_frame(self, data: FramePushed) -> None:
        frame = data.frame
        # Each processor of the pipeline passes a frame on.
        if not isinstance(frame, MetricsFrame) or frame.id in self._seen:
            return
        self._seen.add(frame.id)
        for metric in frame.data:
            if isinstance(metric, LLMUsageMetricsData):
                used = metric.value
                self._add(
                    "llm",
                    self._assistant["llm"]["llm_provider"],
                    metric.model,
                    input_tokens=used.prompt_tokens,
                    input_cached_tokens=used.cache_read_input_tokens or 0,
                    output_tokens=used.completion_tokens,
                )
            elif isinstance(metric, TTSUsageMetricsData):
                self._add("tts", self._assistant["voice"]["tts_provider"], metric.model, characters_count=metric.value)

    def _add(self, kind: str, provider: str, model: str | None, **amounts: int) -> None:
        entry = self._entries.setdefault(
            (kind, model or ""), {"type": f"{kind}_usage", "provider": provider, "model": model}
        )
        for name, amount in amounts.items():
            entry[name] = entry.get(name, 0) + amount

    def to_list(self) -> list[dict]:
        return list(self._entries.values())


async def bot(runner_args: RunnerArguments) -> None:
    """Runs one call. Pipecat's runner starts it for each caller."""
    transport = await create_transport(
        runner_args, {"webrtc": lambda: TransportParams(audio_in_enabled=True, audio_out_enabled=True)}
    )
    # A telephony transport, if you add one above, also has the dialled number.
    number = runner_args.call_data.to_number if runner_args.call_data else None
    assistant_id = choose_assistant(runner_args.body, number)
    # Pipecat knows neither the caller's name nor who called whom.
    room = runner_args.session_id or str(uuid4())
    call = {"room_name": room, "to": number}
    # The request that starts the bot says what the assistant knows of the caller: {"variables": {"name": "Ann"}}
    variables, version = choose_variables(runner_args.body), choose_version(runner_args.body)
    configuration = await asyncio.to_thread(start_call, api, assistant_id, call, variables, version)
    instructions, first_message = get_texts(configuration)
    stt = build(configuration, "transcriber")
    # The prompt is a setting, not a message, so that it is not in the context and the transcript.
    llm = build(configuration, "llm", system_instruction=instructions)
    tts = build(configuration, "voice")

    ended = asyncio.Event()
    context = LLMContext(tools=ToolsSchema(standard_tools=await build_tools(configuration, llm, ended)))
    user, spoken = LLMContextAggregatorPair(
        context, user_params=LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer())
    )
    usage = Usage(configuration)
    worker = PipelineWorker(
        Pipeline([transport.input(), stt, user, llm, tts, transport.output(), spoken]),
        params=PipelineParams(enable_metrics=True, enable_usage_metrics=True),
        observers=[usage],
        idle_timeout_secs=runner_args.pipeline_idle_timeout_secs,
    )

    @transport.event_handler("on_client_connected")
    async def on_client_connected(_transport, _client) -> None:
        if first_message:
            await worker.queue_frames([TTSSpeakFrame(first_message)])

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(_transport, _client) -> None:
        await worker.cancel()

    started_at = datetime.now(timezone.utc)
    runner = WorkerRunner(handle_sigint=runner_args.handle_sigint)
    await runner.add_workers(worker)
    try:
        await runner.run()
    finally:
        ended.set()
        # However the call ended. Messages in a vendor's own format are not dicts, and were not spoken.
        transcript = [message for message in context.get_messages() if isinstance(message, dict)]
        version = configuration.get("version")
        log = call_log(assistant_id, room, started_at, transcript, assistant_version=version, usage=usage.to_list())
        await asyncio.to_thread(save_call, api, log)


if __name__ == "__main__":
    from pipecat.runner.run import main

    send_waiting(api)
    main()
