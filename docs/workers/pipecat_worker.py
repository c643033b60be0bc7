"""Worker for Pipecat 1.x. Runs calls as the assistant is configured, and saves their logs.

    pip install "pipecat-ai[anthropic,assemblyai,cartesia,deepgram,elevenlabs,google,groq,inworld]~=1.7" \
      "pipecat-ai[mistral,openai,rime,runner,silero,soniox,speechmatics,webrtc,xai]~=1.7"
    python pipecat_worker.py

Open the address that it prints in a browser and talk. Set VOICE_ASSISTANTS_URL, VOICE_ASSISTANTS_KEY and ASSISTANT_ID.
"""

import asyncio
from datetime import datetime, timezone
from uuid import uuid4

from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.frames.frames import TTSSpeakFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
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
    choose_assistant,
    choose_vendor,
    drop,
    fit_settings,
    from_environment,
    load,
    save_call,
    send_waiting,
)

api = from_environment()


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


async def bot(runner_args: RunnerArguments) -> None:
    """Runs one call. Pipecat's runner starts it for each caller."""
    transport = await create_transport(
        runner_args, {"webrtc": lambda: TransportParams(audio_in_enabled=True, audio_out_enabled=True)}
    )
    # A telephony transport, if you add one above, also has the dialled number.
    number = runner_args.call_data.to_number if runner_args.call_data else None
    assistant_id = choose_assistant(runner_args.body, number)
    configuration = await asyncio.to_thread(load, api, assistant_id)
    assistant = configuration["assistant"]
    stt = build(configuration, "transcriber")
    # The prompt is a setting, not a message, so that it is not in the context and the transcript.
    llm = build(configuration, "llm", system_instruction=assistant["system_instruction"])
    tts = build(configuration, "voice")

    context = LLMContext()
    user, spoken = LLMContextAggregatorPair(
        context, user_params=LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer())
    )
    worker = PipelineWorker(
        Pipeline([transport.input(), stt, user, llm, tts, transport.output(), spoken]),
        idle_timeout_secs=runner_args.pipeline_idle_timeout_secs,
    )

    @transport.event_handler("on_client_connected")
    async def on_client_connected(_transport, _client) -> None:
        if assistant["first_message"]:
            await worker.queue_frames([TTSSpeakFrame(assistant["first_message"])])

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(_transport, _client) -> None:
        await worker.cancel()

    started_at = datetime.now(timezone.utc)
    runner = WorkerRunner(handle_sigint=runner_args.handle_sigint)
    await runner.add_workers(worker)
    try:
        await runner.run()
    finally:
        # However the call ended. Messages in a vendor's own format are not dicts, and were not spoken.
        transcript = [message for message in context.get_messages() if isinstance(message, dict)]
        log = call_log(assistant_id, runner_args.session_id or str(uuid4()), started_at, transcript)
        await asyncio.to_thread(save_call, api, log)


if __name__ == "__main__":
    from pipecat.runner.run import main

    send_waiting(api)
    main()
