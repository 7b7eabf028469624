from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any, Iterable, Optional, Protocol, Tuple, Union, cast

from .errors import DocentError
from .types import WebhookMessage, WebhookTest

MAX_AGE_SECONDS = 300


class Headers(Protocol):
    """Anything with names and values: a `dict`, the headers of `http.server`, those of a framework."""

    def items(self) -> Iterable[Tuple[str, Any]]: ...


class JobEvent(WebhookMessage):
    """What happened to a job, with the id of the event: what comes twice is handled once."""

    id: str


class TestEvent(WebhookTest):
    """A test that somebody asked for; `type` is `webhook.test`."""

    id: str


WebhookEvent = Union[JobEvent, TestEvent]


def read_webhook(
    headers: Headers, body: Union[bytes, str], *, secret: str, now: Optional[float] = None
) -> WebhookEvent:
    """Reads a webhook's request once signature and age are right (Standard Webhooks 1.0.0).

    `body` is as it came. Raises `DocentError` `unauthorized` for any other request: answer it with 401. What is older than
    five minutes is refused; an event may come twice with the same `id`.
    """
    given = {name.lower(): str(value) for name, value in headers.items()}
    raw = body.encode() if isinstance(body, str) else body
    identity, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    is_recent = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    if is_recent:
        is_recent = abs((time.time() if now is None else now) - int(timestamp)) <= MAX_AGE_SECONDS
    if not identity or not is_recent:
        raise DocentError("unauthorized", "This is no webhook's request, or it is older than five minutes.")
    signed = f"{identity}.{timestamp}.".encode() + raw
    wanted = base64.b64encode(hmac.new(_key_of(secret), signed, hashlib.sha256).digest()).decode()
    for signature in given.get("webhook-signature", "").split(" ")[:8]:
        # The comparison takes the same time wherever they differ.
        if hmac.compare_digest(f"v1,{wanted}".encode(), signature.encode()):
            try:
                return cast(WebhookEvent, {**json.loads(raw), "id": identity})
            except (ValueError, TypeError) as cause:
                raise DocentError("unexpected_answer", "The request is signed, but it is not JSON.") from cause
    raise DocentError("unauthorized", "The signature is not that of this webhook's secret.")


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
    except ValueError:
        key = b""
    if key:
        return key
    raise DocentError("invalid", "The webhook's secret is whsec_ and base64, as it was shown when it was made.")
