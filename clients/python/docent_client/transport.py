from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Dict, Optional, Tuple

from .errors import DocentError, error_of

WORTH_A_REPETITION = {"rate_limited", "unavailable", "no_answer", "timeout"}
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key is for one server."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


class Transport:
    """Sends calls and repeats what was refused for now (429, 503) or lost; a POST has a key, so it is done once."""

    def __init__(self, base_url: str, api_key: str, *, timeout: float, retries: int) -> None:
        place = urllib.parse.urlsplit(base_url)
        if place.scheme not in ("http", "https") or not place.netloc:
            raise DocentError("invalid", f'"{base_url}" is no address of a server: it begins with https://.')
        if not api_key or any(not "!" <= character <= "~" for character in api_key):
            raise DocentError("invalid", "The API key is empty, or has a space or a line break in it.")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._retries = retries
        self._opener = urllib.request.build_opener(_NoRedirects())

    def open(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Dict[str, Any]] = None,
        body: Any = None,
        headers: Optional[Dict[str, str]] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> http.client.HTTPResponse:
        """The answer with its body unread: a 2xx. Throws `DocentError`."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + ("?" + urllib.parse.urlencode(given, doseq=True) if given else "")
        sent = {"Authorization": f"Bearer {self._api_key}", "Accept": "application/json", **(headers or {})}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        if method == "POST":
            sent["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        attempt = 0
        while True:
            try:
                request = urllib.request.Request(url, data=data, method=method, headers=sent)
                return self._opener.open(request, timeout=timeout or self._timeout)
            except urllib.error.HTTPError as refused:
                with refused:
                    error = error_of(refused.code, refused.headers, refused.read(1_000_000))
            except TimeoutError as cause:
                error = _because(DocentError("timeout", f"No answer came within {self._timeout} s."), cause)
            except (urllib.error.URLError, http.client.HTTPException, OSError) as cause:
                error = _because(DocentError("no_answer", f"{self._base_url} could not be reached: {cause}"), cause)
            wait = error.retry_after if error.retry_after is not None else FIRST_WAIT_SECONDS * 2**attempt
            if error.code not in WORTH_A_REPETITION or attempt >= self._retries or wait > LONGEST_WAIT_SECONDS:
                raise error
            time.sleep(wait)
            attempt += 1

    def read(self, method: str, path: str, **call: Any) -> Tuple[int, Any]:
        """Status and JSON of an answer; None for one without a body."""
        with self.open(method, path, **call) as response:
            try:
                text = response.read()
            except (http.client.HTTPException, OSError) as cause:
                raise DocentError("no_answer", f"The answer broke off: {cause}") from cause
            if response.status == 204 or not text:
                return response.status, None
            try:
                return response.status, json.loads(text)
            except ValueError as cause:
                message = "The answer is not JSON: is this the address of a Docent server?"
                raise DocentError("no_answer", message, status=response.status) from cause


def _because(error: DocentError, cause: BaseException) -> DocentError:
    error.__cause__ = cause
    return error
