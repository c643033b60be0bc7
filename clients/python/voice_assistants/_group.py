"""Base of the groups of operations (operations.py)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode
from urllib.request import Request

from ._http import Answer, ApiError, Attempts, build_error, check_address, lower_headers, open_response, read_events, send


@dataclass(frozen=True)
class Connection:
    """Where and as whom requests are sent, and how often."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    attempts: Attempts


def connect(url: str, token: str, workspace: str | None, attempts: Attempts) -> Connection:
    """Returns a connection. Raises ValueError if the URL or the token cannot be used."""
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json", "User-Agent": "voice-assistants-python"}
    if workspace is not None:
        headers["X-Workspace"] = quote(workspace, safe="")
    return Connection(check_address(url, token), headers, attempts)


def segment(value: str | int) -> str:
    """Encodes a value for a path. Raises ValueError for one that would change the path."""
    text = str(value)
    if text in ("", ".", ".."):
        raise ValueError(f"An id should not be {text!r}")
    return quote(text, safe="")


def _query_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def build_form(file: bytes, file_name: str, content_type: str, fields: Mapping[str, str | None]) -> tuple[bytes, str]:
    """Returns a form with a file (RFC 7578), and its content type."""
    boundary = uuid.uuid4().hex
    name = file_name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
        if value is not None
    ]
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    parts += [f"{head}Content-Type: {content_type}\r\n\r\n".encode(), file, f"\r\n--{boundary}--\r\n".encode()]
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"


def _parse_event(data: str) -> dict[str, Any]:
    try:
        event = json.loads(data)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise ApiError("The stream has an event that is no JSON object", type="stream_cut")
    return event


class Group:
    """Operations that share the first part of their ids."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _build(
        self,
        method: str,
        path: str,
        query: Mapping[str, object] | None,
        headers: Mapping[str, str | None] | None,
        content: tuple[bytes, str] | None,
    ) -> Request:
        given = {name: _query_text(value) for name, value in (query or {}).items() if value is not None}
        url = f"{self._connection.url}{path}{'?' + urlencode(given) if given else ''}"
        own = {name: value for name, value in (headers or {}).items() if value is not None}
        body, content_type = content or (None, None)
        if content_type is not None:
            own["Content-Type"] = content_type
        return Request(url, data=body, headers={**self._connection.headers, **own}, method=method)

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str | None] | None = None,
        body: object = None,
        form: tuple[bytes, str] | None = None,
        is_safe: bool = True,
    ) -> Answer[Any]:
        content = form or (None if body is None else (json.dumps(body).encode(), "application/json"))
        request = self._build(method, path, query, headers, content)
        answer = send(request, self._connection.attempts, is_safe)
        if answer.body == b"":
            return answer.map(None)
        try:
            return answer.map(json.loads(answer.body))
        except ValueError:
            raise ApiError(
                "The answer is not JSON: is this the URL of the API?", type="not_json", status=answer.status
            ) from None

    def _stream(self, path: str, body: Mapping[str, Any], *, ends_with_done: bool) -> Iterator[dict[str, Any]]:
        """Yields the events of a streamed answer. Raises ApiError if it ends early, or by an error."""
        content = json.dumps({**body, "stream": True}).encode(), "application/json"
        request = self._build("POST", path, None, {"Accept": "text/event-stream"}, content)
        with open_response(request, self._connection.attempts, is_safe=False) as response:
            for data in read_events(response):
                if data == "[DONE]":
                    return
                event = _parse_event(data)
                if "detail" in event:
                    raise build_error(None, data, lower_headers(response.headers))
                if "error" in event:
                    error = event["error"]
                    raise ApiError(str(error.get("message")), type=str(error.get("code") or error.get("type")))
                yield event
                if not ends_with_done and "data" in event:
                    return
        raise ApiError("The stream ended before its end", type="stream_cut")
