"""Client of the voice assistants API."""

from __future__ import annotations

from ._group import connect
from ._http import Attempts
from .operations import Operations


class Client(Operations):
    """Calls the API as the owner of a token or an API key.

        client = Client("https://api.example.com", "va_…")
        assistant = client.assistants.create({"name": "Receptionist", "system_instruction": "You answer the phone."})
        client.assistants.update(assistant.body["id"], {"name": "Desk"}, if_match=assistant.etag)

    Each operation is a method of its group, and returns an Answer; lists also have `iterate`, which follows the
    cursors. Raises ApiError. `timeout` is in seconds, for one attempt; `tries` counts the first one. Safe to use from
    several threads.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        workspace: str | None = None,
        timeout: float = 30.0,
        tries: int = 4,
    ) -> None:
        super().__init__(connect(url, token, workspace, Attempts(tries=tries, timeout=timeout)))
