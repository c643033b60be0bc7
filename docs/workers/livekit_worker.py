"""Worker for LiveKit Agents 1.x. Runs calls as the assistant is configured, and saves their logs.

    pip install "livekit-agents[anthropic,assemblyai,cartesia,deepgram,elevenlabs,google,groq]~=1.7" \
      "livekit-agents[inworld,mistralai,openai,rime,silero,soniox,speechmatics,xai]~=1.7"
    python livekit_worker.py console

`console` runs in the terminal, without a server. `dev` and `start` connect to the server set by LIVEKIT_URL, LIVEKIT_API_KEY
and LIVEKIT_API_SECRET. Set VOICE_ASSISTANTS_URL, VOICE_ASSISTANTS_KEY and ASSISTANT_ID too.
"""

import asyncio
import json
from datetime import datetime, timezone
from functools import partial

from livekit.agents import Agent, AgentServer, AgentSession, CloseEvent, JobContext, cli
from livekit.plugins import (
    anthropic,
    assemblyai,
    cartesia,
    deepgram,
    elevenlabs,
    google,
    groq,
    inworld,
    mistralai,
    openai,
    rime,
    soniox,
    speechmatics,
    xai,
)

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
server = AgentServer()


def service_account(key: str) -> dict:
    """Returns the arguments for Google's speech services: the credential's key is a service account in JSON."""
    return {"credentials_info": json.loads(key)}


# Supported vendors for each role. Add yours, and remove those that you do not install.
vendors = {
    "transcriber": {
        "assemblyai": Vendor(assemblyai.STT, {"language": drop}),  # the model decides the language
        "cartesia": Vendor(cartesia.STT),
        "deepgram": Vendor(deepgram.STT),
        "deepgram/flux-general-en": Vendor(deepgram.STTv2, {"language": drop}),
        "elevenlabs": Vendor(elevenlabs.STT, {"language": "language_code"}),
        "google": Vendor(google.STT, {"language": "languages"}, service_account),
        "groq": Vendor(groq.STT),
        "openai": Vendor(openai.STT),
        "soniox": Vendor(
            soniox.STT,
            {"language": lambda code: {"language_hints": [code]}},
            group=("params", soniox.STTOptions),
        ),
        "speechmatics": Vendor(
            speechmatics.STT,
            {"model": lambda model: {"operating_point": speechmatics.OperatingPoint(model)}},
        ),
    },
    "llm": {
        "anthropic": Vendor(anthropic.LLM),
        "google": Vendor(google.LLM),
        "groq": Vendor(groq.LLM),
        "mistralai": Vendor(mistralai.LLM),
        "openai": Vendor(openai.LLM),
        "xai": Vendor(xai.responses.LLM),
    },
    "voice": {
        "cartesia": Vendor(cartesia.TTS),
        "deepgram": Vendor(deepgram.TTS, {"model": drop, "voice": "model", "language": drop}),
        "elevenlabs": Vendor(
            elevenlabs.TTS,
            {"voice": "voice_id"},
            group=("voice_settings", partial(elevenlabs.VoiceSettings, stability=0.5, similarity_boost=0.75)),
        ),
        "google": Vendor(google.TTS, {"model": "model_name", "voice": "voice_name"}, service_account),
        "inworld": Vendor(inworld.TTS),
        "openai": Vendor(openai.TTS, {"language": drop}),
        "rime": Vendor(rime.TTS, {"voice": "speaker", "language": drop}),
    },
}


def build(configuration: dict, role: str):
    """Builds the vendor of a role with the assistant's settings."""
    vendor, key = choose_vendor(configuration, role, vendors)
    return vendor.make(**vendor.key(key), **fit_settings(configuration, role, vendor, vendor.make))


@server.rtc_session()
async def take_call(ctx: JobContext) -> None:
    await ctx.connect()
    caller = await ctx.wait_for_participant()
    started_at = datetime.now(timezone.utc)
    ended_at = None
    assistant_id = choose_assistant(ctx.job.metadata, caller.attributes.get("sip.trunkPhoneNumber"))
    configuration = await asyncio.to_thread(load, api, assistant_id)
    assistant = configuration["assistant"]
    session = AgentSession(
        stt=build(configuration, "transcriber"),
        llm=build(configuration, "llm"),
        tts=build(configuration, "voice"),
    )

    @session.on("close")
    def end_call(event: CloseEvent) -> None:
        # Otherwise the job ends when the room closes, some 20 seconds after the caller has left.
        nonlocal ended_at
        ended_at = datetime.now(timezone.utc)
        ctx.shutdown(reason=event.reason.value)

    async def save(reason: str) -> None:
        # By default LiveKit omits the time of each item.
        transcript = session.history.to_dict(exclude_timestamp=False)["items"]
        log = call_log(
            assistant_id,
            ctx.room.name,
            started_at,
            transcript,
            ended_at,
            participant_name=caller.identity,
            end_reason=reason,
        )
        await asyncio.to_thread(save_call, api, log)

    # Before the session starts, so that a call that ends early is saved too.
    ctx.add_shutdown_callback(save)

    await session.start(agent=Agent(instructions=assistant["system_instruction"]), room=ctx.room)
    if assistant["first_message"]:
        await session.say(assistant["first_message"])


if __name__ == "__main__":
    send_waiting(api)
    cli.run_app(server)
