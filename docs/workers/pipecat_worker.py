"""A worker for Pipecat 1.x: takes its calls as the assistant is configured, and saves what was said.

    pip install "pipecat-ai[cartesia,deepgram,elevenlabs,openai,runner,silero,webrtc]~=1.7"
    python pipecat_worker.py

Reads VOICE_ASSISTANTS_URL, VOICE_ASSISTANTS_KEY and ASSISTANT_ID.
"""

import asyncio
import os
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
from pipecat.services.cartesia.tts import CartesiaTTSService
from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat.services.elevenlabs.tts import ElevenLabsTTSService
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.transports.base_transport import TransportParams
from pipecat.workers.runner import WorkerRunner

from voice_assistants import call_log, credential_of, from_environment, given, load, save_call, send_waiting

api = from_environment()
assistant_id = os.environ["ASSISTANT_ID"]

# The vendors that this worker knows for each role. Add yours.
vendors = {
    "transcriber": {"deepgram": DeepgramSTTService},
    "llm": {"openai": OpenAILLMService},
    "voice": {"cartesia": CartesiaTTSService, "elevenlabs": ElevenLabsTTSService},
}


def vendor_of(configuration: dict, role: str, **settings):
    """The vendor of a role, set up as the assistant says."""
    credential = credential_of(configuration, role)
    Vendor = vendors[role][credential["service_type"]]
    return Vendor(api_key=credential["api_key"], settings=Vendor.Settings(**given(**settings)))


async def bot(runner_args: RunnerArguments) -> None:
    """One call. Pipecat's runner starts it for each caller."""
    configuration = await asyncio.to_thread(load, api, assistant_id)
    assistant = configuration["assistant"]
    transcriber, llm, voice = assistant["transcriber"], assistant["llm"], assistant["voice"]
    stt = vendor_of(
        configuration, "transcriber", model=transcriber["stt_model"], language=transcriber["language"]
    )
    # The prompt is a setting here, and not a message: the context, and so the transcript, is what was said alone.
    model = vendor_of(
        configuration, "llm", model=llm["model"], system_instruction=assistant["system_instruction"]
    )
    tts = vendor_of(
        configuration, "voice", model=voice["tts_model"], voice=voice["voice_id"], language=voice["language"]
    )

    context = LLMContext()
    user, spoken = LLMContextAggregatorPair(
        context, user_params=LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer())
    )
    transport = await create_transport(
        runner_args, {"webrtc": lambda: TransportParams(audio_in_enabled=True, audio_out_enabled=True)}
    )
    worker = PipelineWorker(
        Pipeline([transport.input(), stt, user, model, tts, transport.output(), spoken]),
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
        # Whatever ended the call. A message of a vendor's own shape is no dict, and none that was spoken.
        transcript = [message for message in context.get_messages() if isinstance(message, dict)]
        log = call_log(assistant_id, runner_args.session_id or str(uuid4()), started_at, transcript)
        await asyncio.to_thread(save_call, api, log)


if __name__ == "__main__":
    from pipecat.runner.run import main

    send_waiting(api)
    main()
