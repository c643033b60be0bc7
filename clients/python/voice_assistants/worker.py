"""Calls of workers: `start_call`, then `call_tool` when the model asks, then `save_call`.

All three block: in asyncio, call them with `asyncio.to_thread`.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from inspect import signature
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import Request

from ._http import Answer, ApiError, Attempts, check_address, send

logger = logging.getLogger("voice_assistants")

Json = dict[str, Any]


@dataclass(frozen=True)
class Api:
    """URL and key of the API, and the folder for data that must survive this process."""

    url: str
    key: str = field(repr=False)
    folder: Path


def from_environment() -> Api:
    return Api(
        url=_variable("VOICE_ASSISTANTS_URL", "the address of the API").rstrip("/"),
        key=_variable("VOICE_ASSISTANTS_KEY", "an API key with the scopes runtime and logs"),
        folder=Path(os.environ.get("VOICE_ASSISTANTS_FOLDER", ".voice-assistants")),
    )


def _variable(name: str, what: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise LookupError(f"Set {name} to {what}")
    return value


# Before a call


def choose_assistant(metadata: object = None, number: str | None = None) -> str:
    """Returns the id of the assistant that takes a call.

    Takes `assistant_id` from the metadata of the dispatch (a dict, or JSON), else the entry for the dialled number in
    ASSISTANTS_BY_NUMBER (a JSON object), else ASSISTANT_ID. Raises LookupError if none is set.
    """
    if isinstance(metadata, str):
        metadata = _parse(metadata)
    if isinstance(metadata, dict) and metadata.get("assistant_id"):
        return str(metadata["assistant_id"])
    by_number = json.loads(os.environ.get("ASSISTANTS_BY_NUMBER") or "{}")
    assistant_id = by_number.get(number) or os.environ.get("ASSISTANT_ID")
    if not assistant_id:
        raise LookupError(
            f"No assistant for this call (dialled number: {number}). Dispatch it with the metadata "
            '{"assistant_id": "…"}, add the number to ASSISTANTS_BY_NUMBER, or set ASSISTANT_ID'
        )
    return assistant_id


def choose_variables(metadata: object = None) -> dict[str, str]:
    """Returns `variables` from the metadata of the dispatch (a dict, or JSON), as text. Skips those that are null.

    Numbers, booleans and objects become JSON. Empty if there are none.
    """
    if isinstance(metadata, str):
        metadata = _parse(metadata)
    variables = metadata.get("variables") if isinstance(metadata, dict) else None
    if not isinstance(variables, dict):
        return {}
    return {name: _text(value) for name, value in variables.items() if value is not None}


def choose_version(metadata: object = None) -> str:
    """Returns `version` from the metadata of the dispatch (a dict, or JSON), else `live`: the one that its room gets."""
    if isinstance(metadata, str):
        metadata = _parse(metadata)
    version = metadata.get("version") if isinstance(metadata, dict) else None
    return "live" if version is None else str(version)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# Cached configurations, used if the folder is not writable.
_copies: dict[str, Json] = {}


def load(api: Api, assistant_id: str) -> Json:
    """Returns the assistant's configuration, with its vendor keys.

    Uses the cached copy during its lease, then revalidates it. If the API is down, an expired copy is used. If the API
    refuses (key revoked, assistant deleted), the copy is deleted.

    Raises ApiError: a temporary one only if there is no copy.
    """
    name = quote(assistant_id, safe="")
    path = api.folder / "configurations" / f"{name}.json"
    # Another process may have written a newer copy: some frameworks run each call in its own process.
    copies = [copy for copy in (_read(path), _copies.get(name)) if copy]
    copy = max(copies, key=lambda copy: copy["read_at"], default=None)
    if copy and time.time() < copy["until"]:
        return _get_configuration(copy)

    try:
        answer = _ask(
            api,
            f"/assistants/{name}/runtime-config?tools=remote",
            headers={"If-None-Match": copy["etag"]} if copy and copy.get("etag") else {},
            # A caller is waiting: with a copy, do not retry.
            tries=1 if copy else 4,
            timeout=3 if copy else 10,
        )
        configuration, now = _get_data(answer), time.time()
        lease = max(0.0, _seconds(configuration["expires_at"]) - now)
        copy = {"lease": lease, "until": now + lease, "read_at": now, "configuration": configuration, "etag": answer.etag}
    except ApiError as error:
        if _is_refusal(error):
            _copies.pop(name, None)
            _delete(path)
            raise
        if not copy:
            raise
        if error.status != 304:
            logger.warning("The API cannot be reached (%s): using the configuration of %s", error, _when(copy["read_at"]))
            return _get_configuration(copy)
        # A 304 has no body with a new end, so the lease is renewed for the same time.
        now = time.time()
        copy = {**copy, "until": now + copy["lease"], "read_at": now}
    _copies[name] = copy
    _keep(path, json.dumps(copy).encode())
    return _get_configuration(copy)


def start_call(
    api: Api,
    assistant_id: str,
    call: Json | None = None,
    variables: Mapping[str, str] | None = None,
    version: str = "live",
) -> Json:
    """Returns the assistant's configuration for one call: the version of its room, its texts rendered for it.

    Asks the API only if the assistant has variables, or several live versions. `call` says what is known of the call:
    `room_name`, `participant_name`, `from`, `to`, `direction`. If the API is down, the texts have the defaults of the
    variables, and the version is the one that most calls get. Another `version` (`draft`, or a number) is never cached.

    Raises ApiError, for example if a required variable is missing, or if there is no cached copy.
    """
    path = f"/assistants/{quote(assistant_id, safe='')}/runtime-config?tools=remote"
    values = {"call": call or {}, "variables": dict(variables or {})}
    if version != "live":
        body = json.dumps(values).encode()
        return {**_get_data(_ask(api, f"{path}&version={quote(version, safe='')}", body=body)), "values": values}
    configuration = load(api, assistant_id)
    live = configuration["assistant"].get("live") or {"versions": []}
    if configuration["assistant"].get("variables") is None and len(live["versions"]) < 2:
        return {**configuration, "values": values}
    sent = values
    if configuration["assistant"].get("variables") is None:
        # Only the room decides: other values, which the API might refuse, must not cost a call.
        sent = {"call": {"room_name": values["call"].get("room_name")}}
    try:
        # A caller is waiting, and there is a copy: do not retry.
        started = _get_data(_ask(api, path, body=json.dumps(sent).encode(), tries=1, timeout=3))
    except ApiError as error:
        if _is_refusal(error):
            raise
        logger.warning("The API cannot be reached (%s): this call gets what is cached", error)
        return {**configuration, "values": values}
    return {**started, "values": values}


def get_texts(configuration: Json) -> tuple[str, str | None]:
    """Returns the instruction and the first message, with the values of the variables if they could be rendered."""
    texts = configuration.get("rendered") or configuration["assistant"]
    return texts["system_instruction"], texts["first_message"]


def get_credential(configuration: Json, role: str) -> Json:
    """Returns the credential of a role (`voice`, `llm` or `transcriber`): its `api_key` and canonical `service_type`.

    Raises LookupError with the API's reason if there is none.
    """
    credential: Json | None = configuration["credentials"][role]
    if credential is None:
        raise LookupError(f"No key for the {role}: {configuration['reasons'][role]['msg']}")
    return credential


# Vendors


@dataclass(frozen=True)
class Vendor:
    """A vendor's class in the worker's framework, and the mapping from our settings to its arguments."""

    make: Callable[..., Any]
    # Maps a setting to an argument's name, or to a function from its value to arguments. Others keep their names.
    names: Mapping[str, str | Callable[[Any], Json]] = field(default_factory=dict)
    # Returns the argument that takes the API key.
    key: Callable[[str], Json] = lambda key: {"api_key": key}
    # Name of an argument that groups settings, and its class.
    group: tuple[str, Callable[..., Any]] | None = None


def drop(_: Any) -> Json:
    """Drops a setting that the vendor does not support."""
    return {}


# Arguments that decide where a key is sent. Never taken from the settings of an assistant.
_connection = re.compile("url|http|client|location|api_key|secret|credential")


def choose_vendor(configuration: Json, role: str, vendors: Mapping[str, Mapping[str, Vendor]]) -> tuple[Vendor, str]:
    """Returns the vendor of a role and its API key. An entry `service/model` takes precedence over `service`.

    Raises LookupError if the worker does not support the vendor, or there is no key.
    """
    credential = get_credential(configuration, role)
    service = credential["service_type"]
    model = _settings(configuration, role).get("model")
    known = vendors[role]
    vendor = known.get(f"{service}/{model}") or known.get(service)
    if not vendor:
        supported = ", ".join(name for name in known if "/" not in name)
        raise LookupError(f'This worker does not support "{service}" as {role}. It supports {supported}')
    return vendor, credential["api_key"]


def fit_settings(configuration: Json, role: str, vendor: Vendor, target: Callable[..., Any]) -> Json:
    """Returns the settings of a role as arguments of `target`. Logs settings that it does not support."""
    group, grouping = vendor.group or ("", None)
    taken, arguments, grouped = _parameters(target), {}, {}
    for setting, value in _settings(configuration, role).items():
        fit = vendor.names.get(setting, setting)
        for name, argument in (fit(value) if callable(fit) else {fit: value}).items():
            if grouping and name in _parameters(grouping):
                grouped[name] = argument
            elif name in taken and not _connection.search(name):
                arguments[name] = argument
            else:
                logger.warning("Ignored %s.%s: this worker's vendor takes no such setting", role, setting)
    return {**arguments, group: grouping(**grouped)} if grouping and grouped else arguments


def _settings(configuration: Json, role: str) -> Json:
    """Returns the settings of a role under common names, without those left to the vendor's default."""
    names = {"tts_model": "model", "stt_model": "model", "voice_id": "voice"}
    ours = ("tts_provider", "llm_provider", "stt_provider", "credential")
    return {
        names.get(name, name): value
        for name, value in configuration["assistant"][role].items()
        if name not in ours and value not in (None, "default")
    }


def _parameters(target: Callable[..., Any]) -> Mapping[str, Any]:
    return signature(target).parameters


# During a call


def list_tools(configuration: Json) -> list[Json]:
    """Returns the tools that can be called: `type`, `name`, `description`, `parameters` and what to `say`."""
    return [tool for tool in configuration.get("tools", []) if not tool["unavailable"]]


def call_tool(api: Api, configuration: Json, name: str, arguments: Mapping[str, Any], call_id: str | None = None) -> str:
    """Runs a tool of type `search` or `http` by the API, which has its key, and returns what the model should read, as JSON.

    A failure is an answer too: the model then knows what went wrong. Never retried, since it may book something.
    """
    tool = next((tool for tool in configuration["tools"] if tool["name"] == name), None)
    if tool is None:
        return json.dumps({"error": "There is no such tool"})
    assistant = quote(configuration["assistant"]["id"], safe="")
    if tool["type"] == "search":
        path, body = f"/assistants/{assistant}/search", {**arguments, "limit": tool["limit"]}
    else:
        # The version of this call, whatever is published meanwhile.
        version = configuration.get("version") or "draft"
        path = f"/assistants/{assistant}/tools/{quote(name, safe='')}/call?version={version}"
        body = {**configuration.get("values", {}), "arguments": arguments, "call_id": call_id}
    try:
        result = _get_data(_ask(api, path, body=json.dumps(body).encode(), tries=1, timeout=15))
    except ApiError as error:
        result = {"error": str(error)}
    if result.get("error") and tool["say"]["failure"]:
        return json.dumps({"error": result["error"], "say": tool["say"]["failure"]})
    return json.dumps(result)


# After a call


def call_log(
    assistant_id: str,
    room_name: str,
    started_at: datetime,
    transcript: list[Json],
    ended_at: datetime | None = None,
    **more: Any,
) -> Json:
    """Returns the log of a call that ended at `ended_at` (default: now). Items keep the framework's format.

    `more` are other fields, such as `assistant_version`, the configuration's `version`.
    """
    ended_at = ended_at or datetime.now(timezone.utc)
    return {
        "assistant_id": assistant_id,
        "room_name": room_name,
        "started_at": started_at.isoformat(),
        "ended_at": ended_at.isoformat(),
        "session_duration": (ended_at - started_at).total_seconds(),
        "transcript": transcript,
        **more,
    }


def save_call(api: Api, log: Json) -> Json | None:
    """Saves a call and returns its session, or None if it could not be sent. It then waits in the folder.

    The call is written to disk first, so that it survives a crash.
    """
    body = json.dumps(log, default=str).encode()  # `str` keeps calls whose values JSON does not support
    path = api.folder / "calls" / f"{hashlib.sha256(body).hexdigest()}.json"
    _keep(path, body)
    session = _send(api, path, body)
    if session:
        send_waiting(api)
    return session


def send_waiting(api: Api) -> None:
    """Sends calls that are waiting in the folder. Run it when the worker starts."""
    for path in sorted((api.folder / "calls").glob("*.json")):
        try:
            body = path.read_bytes()
        except FileNotFoundError:
            continue  # another process has sent it
        if _send(api, path, body) is None and path.exists():
            return  # the API is down: the others would fail too


def _send(api: Api, path: Path, body: bytes) -> Json | None:
    try:
        # The key is the hash of the call, so that a repeat from any process is saved once.
        saved = _get_data(_ask(api, "/logs/call-logs", body=body, headers={"Idempotency-Key": path.stem}))
    except ApiError as error:
        if not _is_refusal(error):
            logger.warning("A call waits in %s: %s", path, error)
            return None
        logger.error("A call was refused and stays in %s: %s", path.parent, error)
        # After 401 or 403 a new key may work. Other refusals need a person.
        if error.status not in (401, 403) and path.exists():
            path.rename(path.with_suffix(".refused"))
        return None
    path.unlink(missing_ok=True)
    return saved


# Requests and files


def _ask(
    api: Api,
    path: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    tries: int = 4,
    timeout: float = 10,
) -> Answer[bytes]:
    """Returns the answer to a request. Retries temporary errors. Raises ApiError."""
    request = Request(
        check_address(api.url, api.key) + path,
        data=body,
        headers={"Authorization": f"Bearer {api.key}", "Content-Type": "application/json", **(headers or {})},
    )
    # Do not wait longer at the end of a call: the log is on disk.
    return send(request, Attempts(tries=tries, timeout=timeout, max_wait=10))


def _is_refusal(error: ApiError) -> bool:
    """True if a retry would get the same error. A redirect or a page of something else may go away."""
    return error.status is not None and error.status >= 400 and not error.is_temporary


def _get_data(answer: Answer[bytes]) -> Json:
    try:
        data: Json = json.loads(answer.body)["data"]
    except (ValueError, KeyError, TypeError):
        raise ApiError("The answer is not of this API", type="not_json") from None
    return data


def _get_configuration(copy: Json) -> Json:
    configuration: Json = copy["configuration"]
    return configuration


def _keep(path: Path, content: bytes) -> None:
    """Writes a file atomically, readable only by this user. Logs failures instead of raising them."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, part = tempfile.mkstemp(dir=path.parent, suffix=".part")  # of mode 0600
        try:
            with open(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except OSError:
            os.unlink(part)  # it has secrets
            raise
    except OSError as error:
        logger.error("%s cannot be written: %s", path, error)


def _delete(path: Path) -> None:
    """Deletes a file, if it is there. Logs failures instead of raising them."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        logger.error("%s cannot be deleted: %s", path, error)


def _read(path: Path) -> Json | None:
    try:
        content: Json = json.loads(path.read_bytes())
        return content
    except (OSError, ValueError):
        return None


def _parse(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp()


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="seconds")
