from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping, Optional, Union

from .errors import DocentError

MAX_AGE_SECONDS = 300


def read_webhook(
    headers: Mapping[str, str], body: Union[bytes, str], *, secret: str, now: Optional[float] = None
) -> Dict[str, Any]:
    """Reads a webhook's request once signature and age are right (Standard Webhooks 1.0.0).

    `body` is as it came. Throws `DocentError` `unauthorized` for any other request: answer it with 401.
    """
    given = {name.lower(): value for name, value in headers.items()}
    raw = body.encode() if isinstance(body, str) else body
    identity, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    is_recent = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    if is_recent:
        is_recent = abs((time.time() if now is None else now) - int(timestamp)) <= MAX_AGE_SECONDS
    if not identity or not is_recent:
        raise DocentError("unauthorized", "This is no webhook's request, or it is older than five minutes.")
    key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret)
    signed = f"{identity}.{timestamp}.".encode() + raw
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    for signature in given.get("webhook-signature", "").split(" ")[:8]:
        if hmac.compare_digest(f"v1,{wanted}".encode(), signature.encode()):
            return {**json.loads(raw), "id": identity}
    raise DocentError("unauthorized", "The signature is not that of this webhook's secret.")
