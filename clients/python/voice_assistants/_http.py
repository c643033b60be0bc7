"""Requests to the API: timeouts, retries, and errors."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse, IncompleteRead
from typing import IO, Any, Generic, TypeVar
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

T = TypeVar("T")
U = TypeVar("U")

# Types of errors that may go away, for those without a status: no answer, or an error within a stream.
_temporary_types = frozenset(
    ("no_answer", "not_json", "stream_cut", "vendor_busy", "vendor_unavailable", "unavailable", "internal")
)

# The largest error that is read.
_MAX_ERROR_BYTES = 1_000_000


class ApiError(Exception):
    """The API refused a request, or did not answer.

    `status` is None without an answer. `type` is a stable name, such as `not_found`, `no_answer` or `stream_cut`.
    `faults` are all faults of the request: `loc`, `msg`, `type`. `is_temporary` is true if a retry may succeed; `should_retry` is false if the API advises
    against one.
    """

    def __init__(
        self,
        message: str,
        *,
        type: str,
        status: int | None = None,
        faults: list[dict[str, Any]] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        should_retry: bool = True,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.type = type
        self.faults = faults or []
        self.request_id = request_id
        self.retry_after = retry_after
        self.should_retry = should_retry

    @property
    def is_temporary(self) -> bool:
        if self.status is None:
            return self.type in _temporary_types
        if self.status == 429 or self.status >= 500:
            return True
        return self.status == 409 and self.retry_after is not None


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A response of the API, with its body. Names of headers are in lower case."""

    status: int
    body: T
    headers: Mapping[str, str] = field(repr=False)

    @property
    def etag(self) -> str | None:
        """Entity tag, for `if_match`."""
        return self.headers.get("etag")

    @property
    def request_id(self) -> str | None:
        return self.headers.get("x-request-id")

    @property
    def ignored_fields(self) -> str | None:
        """Fields of the request that the API does not know."""
        return self.headers.get("x-ignored-fields")

    @property
    def next_cursor(self) -> str | None:
        """Cursor of the next page, from the header `Link`."""
        link = re.search(r'<([^>]*)>; *rel="next"', self.headers.get("link") or "")
        return parse_qs(urlsplit(link[1]).query).get("cursor", [None])[0] if link else None

    def map(self, body: U) -> Answer[U]:
        return Answer(self.status, body, self.headers)


def check_address(url: str, token: str) -> str:
    """Returns the URL without a slash at its end. Raises ValueError if it or the token cannot be used."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or re.search("[?#]", url):
        raise ValueError(f"The URL of the API should be like https://api.example.com/dev, not {url!r}")
    if not re.fullmatch(r"[\x21-\x7e]+", token):
        raise ValueError("The token is empty, or has a space, a line end or another character that no token has")
    return url.rstrip("/")


class _NoRedirects(HTTPRedirectHandler):
    """Refuses redirects, which would carry the token to another address."""

    def redirect_request(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str) -> None:
        return None


_opener = build_opener(_NoRedirects)


def lower_headers(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _parse_retry_after(value: str | None) -> float | None:
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _describe(fault: Mapping[str, Any]) -> str:
    loc = ".".join(str(part) for part in fault.get("loc", []))
    return f"{loc}: {fault.get('msg')}" if loc else str(fault.get("msg"))


def build_error(status: int | None, text: str, headers: Mapping[str, str]) -> ApiError:
    """Returns the error that an answer describes."""
    faults: list[dict[str, Any]] = []
    try:
        detail = json.loads(text)["detail"]
        faults = [fault for fault in detail if isinstance(fault, dict)]
    except (ValueError, KeyError, TypeError):
        pass
    if faults:
        message = "; ".join(_describe(fault) for fault in faults)
    elif status is not None and 300 <= status < 400:
        message = f"The address leads elsewhere, to {headers.get('location')}: set the URL of the API itself"
    else:
        message = text[:200] or "No explanation"
    return ApiError(
        f"{status}: {message}" if status else message,
        type=str(faults[0].get("type", "error")) if faults else "error",
        status=status,
        faults=faults,
        request_id=headers.get("x-request-id"),
        retry_after=_parse_retry_after(headers.get("retry-after")),
        should_retry=headers.get("x-should-retry") != "false",
    )


def _read_error(response: Any, deadline: float) -> bytes:
    """Returns the body of an error, or what came of it: its status is known already."""
    content = b""
    try:
        while len(content) < _MAX_ERROR_BYTES and time.monotonic() < deadline and (chunk := response.read1(65_536)):
            content += chunk
    except (OSError, HTTPException):
        pass
    return content


def _open(request: Request, timeout: float) -> HTTPResponse:
    """Returns the response to one attempt. Raises ApiError."""
    try:
        response: HTTPResponse = _opener.open(request, timeout=timeout)
        return response
    except HTTPError as error:
        with error:
            text = _read_error(error.fp, time.monotonic() + timeout).decode(errors="replace")
            headers = lower_headers(error.headers)
        raise build_error(error.code, text, headers) from None
    except (OSError, HTTPException) as error:  # refused, reset, timed out, cut short
        raise ApiError(f"No answer: {error}", type="no_answer") from error


def _read(response: HTTPResponse, deadline: float) -> bytes:
    """Returns the whole body. Raises ApiError if it does not end in time."""
    chunks: list[bytes] = []
    try:
        while chunk := response.read1(65_536):
            chunks.append(chunk)
            if time.monotonic() > deadline:
                raise TimeoutError("timed out")
        body = b"".join(chunks)
        length = response.headers["Content-Length"]
        if length is not None and len(body) < int(length):
            raise IncompleteRead(body, int(length) - len(body))
    except (OSError, HTTPException) as error:
        raise ApiError(f"No answer: {error}", type="no_answer") from error
    return body


def _may_retry(error: ApiError, is_safe: bool) -> bool:
    if not error.is_temporary or not error.should_retry:
        return False
    # The API answers 429 and 409 before it has done anything.
    return is_safe or error.status in (409, 429)


@dataclass(frozen=True)
class Attempts:
    """How often and how long to try. Times are in seconds."""

    tries: int = 4
    # Time of one attempt.
    timeout: float = 30.0
    # The longest `Retry-After` that is waited for.
    max_wait: float = 60.0


def _wait(error: ApiError, attempt: int, attempts: Attempts) -> None:
    """Waits before the next attempt, or raises the error if there is none."""
    delay = error.retry_after or 0.0
    if attempt >= attempts.tries or delay > attempts.max_wait:
        raise error
    # Exponential backoff with jitter.
    time.sleep(delay + random.random() * min(2.0 ** (attempt - 1), 8.0))


def open_response(request: Request, attempts: Attempts, is_safe: bool) -> HTTPResponse:
    """Returns the response to a request when it begins. Retries it if that is harmless. Raises ApiError."""
    attempt = 1
    while True:
        try:
            return _open(request, attempts.timeout)
        except ApiError as error:
            if not _may_retry(error, is_safe):
                raise
            _wait(error, attempt, attempts)
        attempt += 1


def send(request: Request, attempts: Attempts = Attempts(), is_safe: bool = True) -> Answer[bytes]:
    """Returns the answer to a request. Retries it, with the same headers, if `is_safe` or if nothing was done.

    Raises ApiError.
    """
    attempt = 1
    while True:
        try:
            deadline = time.monotonic() + attempts.timeout
            with _open(request, attempts.timeout) as response:
                return Answer(response.status, _read(response, deadline), lower_headers(response.headers))
        except ApiError as error:
            if not _may_retry(error, is_safe):
                raise
            _wait(error, attempt, attempts)
        attempt += 1


def read_events(response: HTTPResponse) -> Iterator[str]:
    """Yields the data of server-sent events. Raises ApiError if the connection breaks."""
    data: list[str] = []
    try:
        for line in response:
            text = line.decode().rstrip("\r\n")
            if text.startswith("data:"):
                data.append(text[5:].removeprefix(" "))
            elif not text and data:
                yield "\n".join(data)
                data = []
    except (OSError, HTTPException, ValueError) as error:
        raise ApiError(f"The stream broke: {error}", type="stream_cut") from error
