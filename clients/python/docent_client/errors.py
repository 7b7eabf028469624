from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional, cast


class DocentError(Exception):
    """The one error of the client. Branch on `code`.

    It is a code of the interface, or one of the client's own: `no_answer` (no connection, or it broke off), `unexpected_answer`
    (what answers is no Docent server, or sends on to another), `timeout`, `unknown`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        details: Optional[List[Dict[str, str]]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.details: List[Dict[str, str]] = details or []
        self.request_id = request_id
        self.retry_after = retry_after


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> DocentError:
    """Reads a refusal. Anything may have sent it, a proxy for one."""
    read = _object_in(body)
    usual = "rate_limited" if status == 429 else "unavailable" if status >= 502 else "unknown"
    said = f"The server answered with status {status}."
    if usual == "unknown" and body.lstrip()[:1] == b"<":
        usual = "unexpected_answer"
        said = f"The answer is a page of HTML with status {status}: is this the address of a Docent server?"
    code, message, request_id = read.get("code"), read.get("error"), read.get("requestId")
    return DocentError(
        code if isinstance(code, str) else usual,
        message if isinstance(message, str) else said,
        status=status,
        details=_details_in(read.get("details")),
        request_id=request_id if isinstance(request_id, str) else headers.get("x-request-id"),
        retry_after=_retry_after(headers.get("retry-after")),
    )


def _object_in(body: bytes) -> Dict[str, Any]:
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return cast("Dict[str, Any]", read) if isinstance(read, dict) else {}


def _details_in(value: Any) -> List[Dict[str, str]]:
    given = cast("List[Any]", value) if isinstance(value, list) else []
    return [
        {"path": str(one["path"]), "message": str(one["message"])}
        for one in (cast("Dict[str, Any]", any_one) for any_one in given if isinstance(any_one, dict))
        if "path" in one and "message" in one
    ]


def _retry_after(header: Optional[str]) -> Optional[float]:
    """Seconds, or a date."""
    if header is None:
        return None
    try:
        wait = float(header)
    except ValueError:
        try:
            wait = parsedate_to_datetime(header).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return wait if 0 <= wait < 1e9 else None
