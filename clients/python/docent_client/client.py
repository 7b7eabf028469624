from __future__ import annotations

import json
import re
import time
import urllib.parse
from typing import Any, Dict, Iterator, Optional

from .errors import DocentError
from .operations import OPERATIONS
from .transport import Transport

RESTING = {"job.completed", "job.failed", "job.archived"}
# The server sends a heartbeat every 15 s: without a sign of life for so long the connection is dead.
SILENCE_SECONDS = 60.0


class Docent:
    """One project of a server. Every method throws `DocentError`. Bodies are dictionaries, named as in the interface."""

    def __init__(
        self, base_url: str, project_id: str, api_key: str, *, timeout: float = 30.0, retries: int = 3
    ) -> None:
        self.project_id = project_id
        self._transport = Transport(base_url, api_key, timeout=timeout, retries=retries)

    def call(
        self,
        operation: str,
        *,
        query: Optional[Dict[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        **ids: str,
    ) -> Any:
        """Any operation of the interface by its `operationId`; `ids` are the parameters of its path."""
        if operation not in OPERATIONS:
            raise DocentError("invalid", f"There is no operation {operation}.")
        method, path = OPERATIONS[operation]
        call = {"query": query, "body": body, "idempotency_key": idempotency_key}
        return self._transport.read(method, self._address(path, ids), **call)[1]

    def pages(self, operation: str, *, query: Optional[Dict[str, Any]] = None, **ids: str) -> Iterator[Any]:
        """The pages of a list, one after another, until there is no more."""
        asked = dict(query or {})
        while True:
            page = self.call(operation, query=asked, **ids)
            yield page
            if page.get("nextCursor") is None:
                return
            asked["cursor"] = page["nextCursor"]

    def create_job(self, prompt: str, *, idempotency_key: Optional[str] = None, **fields: Any) -> Dict[str, Any]:
        return self.call("createAgentJob", body={"prompt": prompt, **fields}, idempotency_key=idempotency_key)

    def send_message(self, job_id: str, prompt: str, *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        return self.call("sendAgentMessage", id=job_id, body={"prompt": prompt}, idempotency_key=idempotency_key)

    def get_job(self, job_id: str) -> Dict[str, Any]:
        return self.call("getAgentJob", id=job_id)

    def cancel_job(self, job_id: str, *, keep_work: bool = False) -> Dict[str, Any]:
        return self.call("cancelAgentJob", id=job_id, body={"keepWork": keep_work})

    def merge_job(self, job_id: str, *, head: Optional[str] = None) -> Dict[str, Any]:
        """Merges the pull request of a job that has ended. With `head` any other commit is refused (`conflict`)."""
        return self.call("mergeAgentJob", id=job_id, body=None if head is None else {"head": head})

    def get_diff(self, job_id: str) -> Dict[str, Any]:
        return self.call("getAgentJobDiff", id=job_id)

    def wait_for_job(self, job_id: str, *, timeout: float = 3_600.0) -> Dict[str, Any]:
        """Asks until the job is no longer active. A `failed` job is an answer, not an error."""
        until = time.monotonic() + timeout
        pause = 0.5
        while True:
            job = self.get_job(job_id)
            if job["status"] != "active":
                return job
            if time.monotonic() + pause > until:
                raise DocentError("timeout", "The job is still active.")
            time.sleep(pause)
            pause = min(5.0, pause * 1.5)

    def stream_events(self, job_id: str, *, after: int = 0) -> Iterator[Dict[str, Any]]:
        """The transcript as it grows, each event once and in order, over lost connections, until the job is at rest."""
        path = self._address("/v2/agent/{projectId}/job/{id}/stream", {"id": job_id})
        seen, fruitless = after, 0
        while True:
            before, last = seen, ""
            headers = {"Accept": "text/event-stream", **({"Last-Event-ID": str(seen)} if seen else {})}
            try:
                with self._transport.open("GET", path, headers=headers, timeout=SILENCE_SECONDS) as response:
                    if response.status == 204:
                        return
                    for event in _events(response):
                        if event["seq"] <= seen:
                            continue
                        seen, last = event["seq"], event["type"]
                        yield event
                        if last in RESTING and self.get_job(job_id)["status"] != "active":
                            break
            except (OSError, ValueError):
                pass
            job = self.get_job(job_id)
            if job["status"] != "active" and (seen == before or last in RESTING):
                return
            fruitless = 0 if seen > before else fruitless + 1
            time.sleep(min(30.0, 2.0**fruitless))

    def visitors(
        self, *, date_from: Optional[str] = None, date_to: Optional[str] = None, page_size: int = 250
    ) -> Iterator[Dict[str, Any]]:
        """Pages of the visitor counts. Dates are `YYYY-MM-DD`; `date_to` is the day after the last."""
        offset = 0
        while True:
            query = {"dateFrom": date_from, "dateTo": date_to, "limit": page_size, "offset": offset}
            page = self.call("getVisitors", query=query)
            yield page
            if not page["hasMore"]:
                return
            offset += page_size

    def _address(self, path: str, ids: Dict[str, str]) -> str:
        places = {"projectId": self.project_id, **ids}

        def place(match: "re.Match[str]") -> str:
            name = match.group(1)
            if not places.get(name):
                raise DocentError("invalid", f"{name} is missing.")
            return urllib.parse.quote(str(places[name]), safe="")

        return re.sub(r"\{(\w+)\}", place, path)


def _events(response: Any) -> Iterator[Dict[str, Any]]:
    """Server-sent events whose data is JSON with a `seq`."""
    data = []
    for line in response:
        text = line.decode().rstrip("\r\n")
        if text.startswith("data:"):
            data.append(text[5:].lstrip(" "))
        elif text == "" and data:
            event = json.loads("\n".join(data))
            data = []
            if isinstance(event, dict) and isinstance(event.get("seq"), int):
                yield event
