from __future__ import annotations

import http.client
import json
import random
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from email.message import Message
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple

from .errors import DocentError, error_of

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
LARGEST_ANSWER = 32 * 1024 * 1024
LARGEST_REFUSAL = 1024 * 1024
CHUNK = 64 * 1024


class Answer(NamedTuple):
    """An answer with what came beside its body, which is JSON that was read; None where there is none.

    The names of headers are in lower case.
    """

    body: Any
    status: int
    headers: Mapping[str, str]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key is for one server."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


class _Failure(NamedTuple):
    """Why an attempt has no answer: `refused` for now, which changed nothing; `lost`, which may have changed something."""

    error: DocentError
    kind: str


class Transport:
    """Sends calls, and repeats what was refused for now (429, 503), and what was lost where that does nothing twice.

    A POST is sent again with its key; a PATCH is not sent again.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float,
        retries: int,
        on_retry: Optional[Callable[[DocentError, float], None]] = None,
    ) -> None:
        self._base_url = _address_of(base_url)
        if not api_key or any(not "!" <= character <= "~" for character in api_key):
            raise DocentError("invalid", "The API key is empty, or has a space or a line break in it.")
        if timeout <= 0 or retries < 0:
            raise DocentError("invalid", "timeout or retries is no number to use.")
        self._api_key = api_key
        self._timeout = timeout
        self._retries = retries
        self._on_retry = on_retry
        self._opener = urllib.request.build_opener(_NoRedirects())

    def ask(self, method: str, path: str, **call: Any) -> Answer:
        """The answer to a call, its JSON read."""
        status, headers, text = self._send(method, path, **call)
        if status in (204, 304):
            return Answer(None, status, headers)
        try:
            body = json.loads(text)
        except (ValueError, RecursionError) as cause:
            raise _no_docent(status, headers, text) from cause
        if not isinstance(body, (dict, list)):
            raise _no_docent(status, headers, text)
        return Answer(body, status, headers)

    def read_text(self, method: str, path: str, *, accept: str, **call: Any) -> str:
        """The answer in another form than JSON."""
        status, headers, text = self._send(method, path, headers={"Accept": accept}, **call)
        kind = headers.get("content-type", "none")
        if not kind.startswith(accept):
            raise DocentError(
                "unexpected_answer",
                f"The answer is of the type {kind[:100]}, not {accept}.",
                status=status,
                request_id=headers.get("x-request-id"),
            )
        return text.decode("utf-8", "replace")

    def open_stream(self, path: str, *, headers: Dict[str, str], silence: float) -> http.client.HTTPResponse:
        """An answer that goes on for as long as it likes. Throws `DocentError` of one attempt."""
        outcome = self._open(self._request("GET", path, headers=headers), silence)
        if isinstance(outcome, _Failure):
            raise outcome.error
        kind = outcome.headers.get("content-type", "none")
        if outcome.status != 204 and not kind.startswith("text/event-stream"):
            request_id = outcome.headers.get("x-request-id")
            outcome.close()
            message = f"The answer is of the type {kind[:100]}, not a stream of events."
            raise DocentError("unexpected_answer", message, status=outcome.status, request_id=request_id)
        return outcome

    def _send(self, method: str, path: str, **call: Any) -> Tuple[int, Mapping[str, str], bytes]:
        request = self._request(method, path, **call)
        attempt, was_lost = 0, False
        while True:
            outcome = self._attempt(request)
            if not isinstance(outcome, _Failure):
                return outcome
            error, kind = outcome
            if was_lost and method == "DELETE" and error.status == 404:
                return 204, {}, b""  # the attempt before has deleted it
            wait = FIRST_WAIT_SECONDS * 2**attempt * random.uniform(0.75, 1)
            if error.retry_after is not None:
                wait = error.retry_after
            is_worth_it = kind == "refused" or (kind == "lost" and method != "PATCH")
            if not is_worth_it or attempt >= self._retries or wait > LONGEST_WAIT_SECONDS:
                raise error
            was_lost = was_lost or kind == "lost"
            if self._on_retry is not None:
                self._on_retry(error, wait)
            time.sleep(wait)
            attempt += 1

    def _request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Dict[str, str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> urllib.request.Request:
        """The same in each attempt, its key too."""
        given = {name: _written(value) for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + ("?" + urllib.parse.urlencode(given, doseq=True) if given else "")
        sent = {"Authorization": f"Bearer {self._api_key}", "Accept": "application/json", **(headers or {})}
        if method == "POST":
            sent["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if any(not value.isprintable() or not value.isascii() for value in sent.values()):
            raise DocentError("invalid", "A header has a line break in it, or a letter that no header may have.")
        data = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            try:
                data = json.dumps(body, allow_nan=False).encode()
            except (TypeError, ValueError, RecursionError) as cause:
                raise DocentError("invalid", f"The body cannot be written as JSON: {cause}") from cause
        return urllib.request.Request(url, data=data, method=method, headers=sent)

    def _open(self, request: urllib.request.Request, timeout: float) -> "http.client.HTTPResponse | _Failure":
        try:
            response: http.client.HTTPResponse = self._opener.open(request, timeout=timeout)
            return response
        except urllib.error.HTTPError as refused:
            with refused:
                return _refusal_of(refused)
        except (http.client.HTTPException, OSError) as cause:
            return self._lost(cause)

    def _attempt(self, request: urllib.request.Request) -> "Tuple[int, Mapping[str, str], bytes] | _Failure":
        ends_at = time.monotonic() + self._timeout
        response = self._open(request, self._timeout)
        if isinstance(response, _Failure):
            return response
        text = bytearray()
        with response:
            try:
                # No more than one read of the socket at once: a trickle must not go on for ever.
                while chunk := response.read1(CHUNK):
                    text += chunk
                    if len(text) > LARGEST_ANSWER:
                        message = f"The answer has more than {LARGEST_ANSWER // 1024 // 1024} MB. Ask for a smaller page."
                        request_id = response.headers.get("x-request-id")
                        error = DocentError("unexpected_answer", message, status=response.status, request_id=request_id)
                        return _Failure(error, "final")
                    if time.monotonic() > ends_at:
                        raise TimeoutError
            except (http.client.HTTPException, OSError) as cause:
                return self._lost(cause)
            length = response.headers.get("content-length", "")
            if length.isdigit() and len(text) < int(length):
                return self._lost(http.client.IncompleteRead(bytes(text), int(length) - len(text)))
            return response.status, _plain(response.headers), bytes(text)

    def _lost(self, cause: Exception) -> _Failure:
        reason = cause.reason if isinstance(cause, urllib.error.URLError) else cause
        if isinstance(reason, (TimeoutError, socket.timeout)):  # one and the same since Python 3.10
            error = DocentError("timeout", f"No answer came within {self._timeout} s.")
        else:
            said = "the answer broke off" if isinstance(reason, http.client.IncompleteRead) else str(reason)
            error = DocentError("no_answer", f"{self._base_url} could not be reached, or the answer broke off: {said}")
        error.__cause__ = cause
        return _Failure(error, "lost")


def _refusal_of(refused: urllib.error.HTTPError) -> _Failure:
    status, headers = refused.code, _plain(refused.headers)
    if 300 <= status < 400 and status != 304:
        place = headers.get("location", "elsewhere")[:200]
        message = f"The server sends on to {place}. Give the address as the server itself has it, often with https://."
        return _Failure(DocentError("unexpected_answer", message, status=status), "final")
    try:
        text = refused.read(LARGEST_REFUSAL)
    except (http.client.HTTPException, OSError):
        text = b""  # the status says enough
    kind = "refused" if status in (429, 503) else "lost" if status >= 502 else "final"
    return _Failure(error_of(status, headers, text), kind)


def _no_docent(status: int, headers: Mapping[str, str], text: bytes) -> DocentError:
    seen = "a page of HTML" if text.lstrip()[:1] == b"<" else "no JSON of the interface"
    message = f"The answer is {seen}: is this the address of a Docent server?"
    return DocentError("unexpected_answer", message, status=status, request_id=headers.get("x-request-id"))


def _plain(headers: Message) -> Dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _written(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _address_of(base_url: str) -> str:
    try:
        place = urllib.parse.urlsplit(base_url)
        is_address = place.scheme in ("http", "https") and bool(place.hostname) and (place.port is None or place.port > 0)
    except ValueError:
        place, is_address = urllib.parse.urlsplit(""), False
    if not is_address or any(not "!" <= character <= "~" for character in base_url):
        raise DocentError("invalid", f"{base_url!r} is not a server address: it must begin with https://.")
    if "@" in place.netloc or "?" in base_url or "#" in base_url:
        raise DocentError("invalid", "The address of the server has a user, a “?” or a “#” in it: leave that out.")
    return base_url.rstrip("/")
