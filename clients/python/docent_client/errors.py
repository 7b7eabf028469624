from __future__ import annotations

from typing import Any, Dict, List, Optional


class DocentError(Exception):
    """The one error of the client. Branch on `code`: a code of the interface, or `no_answer`, `timeout`, `unknown`."""

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


def error_of(status: int, headers: Any, body: bytes) -> DocentError:
    """Reads an answer that is not the one asked for. Anything may have sent it, a proxy for one."""
    import json

    try:
        read = json.loads(body)
    except ValueError:
        read = {}
    if not isinstance(read, dict):
        read = {}
    usual = "rate_limited" if status == 429 else "unavailable" if status >= 502 else "unknown"
    code = read.get("code")
    message = read.get("error")
    details = read.get("details")
    try:
        retry_after: Optional[float] = float(headers.get("retry-after", ""))
    except ValueError:
        retry_after = None
    return DocentError(
        code if isinstance(code, str) else usual,
        message if isinstance(message, str) else f"The server answered with status {status}.",
        status=status,
        details=details if isinstance(details, list) else None,
        request_id=headers.get("x-request-id"),
        retry_after=retry_after,
    )
