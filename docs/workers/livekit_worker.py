"""Worker for LiveKit Agents 1.x. Runs calls as the assistant is configured, and saves their logs.

In this folder of a clone of the repository:

    pip install "livekit-agents[anthropic,assemblyai,cartesia,deepgram,elevenlabs,google,groq]~=1.7" \
      "livekit-agents[inworld,mcp,mistralai,openai,rime,silero,soniox,speechmatics,xai]~=1.7" ../../clients/python
    python livekit_worker.py console

`console` runs in the terminal, without a server. `dev` and `start` connect to the server set by LIVEKIT_URL, LIVEKIT_API_KEY
and LIVEKIT_API_SECRET. Set VOICE_ASSISTANTS_URL, VOICE_ASSISTANTS_KEY and ASSISTANT_ID too.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import datetime, timezone
from functools import partial

from livekit.agents import (
    Agent,
    AgentServer,
    AgentSession,
    CloseEvent,
    JobContext,
    RunContext,
    cli,
    function_tool,
    mcp,
)
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


# Your code for tools of type `client`, by name. It gets the arguments, and returns what the model should read.
client_tools: dict[str, Callable[[dict], Awaitable[object]]] = {}


def build_tools(configuration: dict, ctx: JobContext, caller: str) -> list:
    """Builds LiveKit's tools from those of the assistant, and its MCP servers."""

    def build_tool(tool: dict):
        async def run(raw_arguments: dict[str, object], context: RunContext) -> object:
            if tool["say"]["start"]:
                context.session.say(tool["say"]["start"])
            if tool["type"] == "end_call":
                ctx.add_shutdown_callback(hang_up)
                context.speech_handle.add_done_callback(lambda _: context.session.shutdown())
                return "Say good-bye."
            if tool["type"] == "transfer":
                if raw_arguments["to"] not in tool["parameters"]["properties"]["to"]["enum"]:
                    return "Calls cannot be transferred there."  # whatever the caller has talked the model into
                await ctx.transfer_sip_participant(caller, raw_arguments["to"])
                return "The call is transferred."
            if tool["type"] == "client":
                return await client_tools[tool["name"]](raw_arguments)
            call_id = context.function_call.call_id
            return await asyncio.to_thread(call_tool, api, configuration, tool["name"], raw_arguments, call_id)

        return function_tool(run, raw_schema={name: tool[name] for name in ("name", "description", "parameters")})

    async def hang_up() -> None:
        await ctx.delete_room()  # disconnects a caller on the phone too

    usable = [tool for tool in list_tools(configuration) if tool["type"] != "client" or tool["name"] in client_tools]
    servers = [
        mcp.MCPToolset(
            id=one["name"],
            mcp_server=mcp.MCPServerHTTP(
                one["url"],
                transport_type=one["transport"],
                allowed_tools=one["allowed_tools"],
                headers=one["headers"],
            ),
        )
        for one in configuration.get("mcp_servers", [])
        if not one["unavailable"]
    ]
    return [*map(build_tool, usable), *servers]


def describe_call(room_name: str, caller) -> dict:
    """Returns what LiveKit knows of a call. A caller's identity is no name: without a name, there is none."""
    theirs, ours = caller.attributes.get("sip.phoneNumber"), caller.attributes.get("sip.trunkPhoneNumber")
    facts = {"room_name": room_name, "participant_name": caller.name or None}
    if "sip.callID" not in caller.attributes:
        return facts
    # A dispatch rule takes the calls that come in. Those that you make have none.
    if caller.attributes.get("sip.ruleID"):
        return {**facts, "from": theirs, "to": ours, "direction": "inbound"}
    return {**facts, "from": ours, "to": theirs, "direction": "outbound"}


@server.rtc_session()
async def take_call(ctx: JobContext) -> None:
    await ctx.connect()
    caller = await ctx.wait_for_participant()
    started_at = datetime.now(timezone.utc)
    ended_at = None
    assistant_id = choose_assistant(ctx.job.metadata, caller.attributes.get("sip.trunkPhoneNumber"))
    call = describe_call(ctx.room.name, caller)
    # The dispatch says what the assistant knows of the caller: {"assistant_id": "…", "variables": {"name": "Ann"}}
    variables, version = choose_variables(ctx.job.metadata), choose_version(ctx.job.metadata)
    configuration = await asyncio.to_thread(start_call, api, assistant_id, call, variables, version)
    instructions, first_message = get_texts(configuration)
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
            participant_name=call["participant_name"],
            direction=call.get("direction"),
            assistant_version=configuration.get("version"),
            end_reason=reason,
            usage=[entry.model_dump() for entry in session.usage.model_usage],
        )
        await asyncio.to_thread(save_call, api, log)

    # Before the session starts, so that a call that ends early is saved too.
    ctx.add_shutdown_callback(save)

    tools = build_tools(configuration, ctx, caller.identity)
    await session.start(agent=Agent(instructions=instructions, tools=tools), room=ctx.room)
    if first_message:
        await session.say(first_message)


if __name__ == "__main__":
    send_waiting(api)
    cli.run_app(server)
