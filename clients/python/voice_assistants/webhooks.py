"""Checks of webhooks (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class InvalidWebhook(ValueError):
    """The request was not sent by the service, or long ago. Answer 401."""


def _get_key(secret: str) -> bytes:
    """Returns the key of a secret: decoded base64, or else its bytes. Raises ValueError if there is none."""
    text = secret.removeprefix("whsec_")
    if not text:
        raise ValueError("The secret of the webhook is empty: set the one that the webhook was created with")
    return base64.b64decode(text) if _BASE64.fullmatch(text) else secret.encode()


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str | Sequence[str], *, tolerance: float = 300.0
) -> dict[str, Any]:
    """Returns the event in a request to a webhook. `body` is what came, unparsed. Pass several secrets while one replaces
    another.

    Raises InvalidWebhook if the signature is wrong, or if it was made more than `tolerance` seconds ago, ValueError for
    an empty secret, and TypeError for a parsed body.
    """
    if not isinstance(body, (bytes, str)):
        raise TypeError("The body was parsed: pass the raw body of the request, as bytes or text")
    keys = [_get_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("There is no secret of the webhook: set the one that the webhook was created with")
    content = body.encode() if isinstance(body, str) else body
    lower = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp = lower.get("webhook-id", ""), lower.get("webhook-timestamp", "")
    if not event_id or not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise InvalidWebhook("The headers webhook-id and webhook-timestamp are missing")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise InvalidWebhook("The webhook was signed too long ago, or a clock is wrong")
    signed = f"{event_id}.{timestamp}.".encode() + content
    expected = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    signatures = lower.get("webhook-signature", "").encode(errors="replace").split()
    if not any(hmac.compare_digest(one, signature) for one in expected for signature in signatures):
        raise InvalidWebhook("The signature of the webhook is wrong: is the secret the one of this webhook?")
    event: dict[str, Any] = json.loads(content)
    return event
