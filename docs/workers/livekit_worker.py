"""A worker for LiveKit Agents 1.x: takes its calls as the assistant is configured, and saves what was said.

    pip install "livekit-agents[cartesia,deepgram,elevenlabs,openai,silero]~=1.4"
    python livekit_worker.py dev

Besides LiveKit's own variables it reads VOICE_ASSISTANTS_URL, VOICE_ASSISTANTS_KEY and ASSISTANT_ID.
"""

import asyncio
import os
from datetime import datetime, timezone

from livekit.agents import Agent, AgentServer, AgentSession, JobContext, cli
from livekit.plugins import cartesia, deepgram, elevenlabs, openai, silero

from voice_assistants import call_log, credential_of, from_environment, given, load, save_call, send_waiting

api = from_environment()
assistant_id = os.environ["ASSISTANT_ID"]
server = AgentServer()

# The vendors that this worker knows for each role. Add yours.
vendors = {
    "transcriber": {
        "deepgram": lambda key, its: deepgram.STT(
            api_key=key, **given(model=its["stt_model"], language=its["language"])
        ),
    },
    "llm": {
        "openai": lambda key, its: openai.LLM(api_key=key, **given(model=its["model"])),
    },
    "voice": {
        "cartesia": lambda key, its: cartesia.TTS(
            api_key=key, **given(model=its["tts_model"], voice=its["voice_id"], language=its["language"])
        ),
        "elevenlabs": lambda key, its: elevenlabs.TTS(
            api_key=key, **given(model=its["tts_model"], voice_id=its["voice_id"], language=its["language"])
        ),
    },
}


def vendor_of(configuration: dict, role: str):
    """The vendor of a role, set up as the assistant says."""
    credential = credential_of(configuration, role)
    return vendors[role][credential["service_type"]](credential["api_key"], configuration["assistant"][role])


@server.rtc_session()
async def take_call(ctx: JobContext) -> None:
    configuration = await asyncio.to_thread(load, api, assistant_id)
    assistant = configuration["assistant"]
    session = AgentSession(
        stt=vendor_of(configuration, "transcriber"),
        llm=vendor_of(configuration, "llm"),
        tts=vendor_of(configuration, "voice"),
        vad=silero.VAD.load(),
    )

    await ctx.connect()
    caller = await ctx.wait_for_participant()
    started_at = datetime.now(timezone.utc)

    async def save(reason: str) -> None:
        # Without `exclude_timestamp=False` LiveKit leaves out when each item was said.
        transcript = session.history.to_dict(exclude_timestamp=False)["items"]
        log = call_log(
            assistant_id, ctx.room.name, started_at, transcript, participant_name=caller.identity, end_reason=reason
        )
        await asyncio.to_thread(save_call, api, log)

    # Before the session starts, so that a call that breaks off at once is saved, too.
    ctx.add_shutdown_callback(save)

    await session.start(agent=Agent(instructions=assistant["system_instruction"]), room=ctx.room)
    if assistant["first_message"]:
        await session.say(assistant["first_message"])


if __name__ == "__main__":
    send_waiting(api)
    cli.run_app(server)
