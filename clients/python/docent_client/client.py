from __future__ import annotations

import re
import urllib.parse
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, cast

from . import types
from .errors import DocentError
from .follow import follow_events, wait_for_job
from .operations import OPERATIONS, Operations
from .transport import Answer, Transport


class Docent(Operations):
    """A server, and one of its projects. Every method raises `DocentError`.

    Bodies are dictionaries, named as in the interface; the module `docent_client.types` has their types.
    """

    def __init__(
        self,
        base_url: str,
        project_id: Optional[str],
        api_key: str,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        on_retry: Optional[Callable[[DocentError, float], None]] = None,
    ) -> None:
        self.project_id = project_id
        self._transport = Transport(base_url, api_key, timeout=timeout, retries=retries, on_retry=on_retry)

    def request(
        self,
        operation: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        **ids: Optional[str],
    ) -> Answer:
        """Any operation by its `operationId`: body, status and headers. `ids` are the parameters of its path."""
        method, path, _ = self._find(operation, ids)
        return self._transport.ask(
            method,
            path,
            query=query,
            body=body,
            idempotency_key=idempotency_key,
            headers=None if if_match is None else {"If-Match": if_match},
        )

    def call(self, operation: str, **call: Any) -> Any:
        """The body of `request`. Each operation has a method with types, too: `getWebhook` is `get_webhook`."""
        return self.request(operation, **call).body

    def text(self, operation: str, *, accept: str, query: Optional[Mapping[str, Any]] = None, **ids: str) -> str:
        """The answer in another form: `text("getVisitors", accept="text/csv")`."""
        method, path, _ = self._find(operation, ids)
        return self._transport.read_text(method, path, accept=accept, query=query)

    def pages(self, operation: str, *, query: Optional[Mapping[str, Any]] = None, **ids: Any) -> Iterator[Any]:
        """The pages of a list, one after another, as each names the next (`Link: <…>; rel="next"`)."""
        asked, before = query, ""
        while True:
            body, status, headers = self.request(operation, query=asked, **ids)
            yield body
            found = re.search(r'<([^<>]{0,4000})>\s{0,9};\s{0,9}rel="?next"?', headers.get("link") or "")
            if found is None:
                return
            if found.group(1) == before:
                raise DocentError("unexpected_answer", "The list names the same page again and again.", status=status)
            before = found.group(1)
            # Of the address the query alone: the key goes nowhere else.
            asked = urllib.parse.parse_qs(urllib.parse.urlsplit(before).query, keep_blank_values=True)

    def create_job(
        self,
        prompt: Optional[str] = None,
        *,
        chores: Optional[List[types.AgentChore]] = None,
        ref: Optional[str] = None,
        model: Optional[str] = None,
        draft: Optional[bool] = None,
        dry_run: Optional[bool] = None,
        title: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.AgentJob:
        body: types.NewAgentJob = {}
        if prompt is not None:
            body["prompt"] = prompt
        if chores is not None:
            body["chores"] = chores
        if ref is not None:
            body["ref"] = ref
        if model is not None:
            body["model"] = model
        if draft is not None:
            body["draft"] = draft
        if dry_run is not None:
            body["dryRun"] = dry_run
        if title is not None:
            body["title"] = title
        return self.create_agent_job(body, idempotency_key=idempotency_key)

    def send_message(
        self,
        job_id: str,
        prompt: Optional[str] = None,
        *,
        chores: Optional[List[types.AgentChore]] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.AgentJob:
        body: types.AgentMessage = {}
        if prompt is not None:
            body["prompt"] = prompt
        if chores is not None:
            body["chores"] = chores
        return self.send_agent_message(job_id, body, idempotency_key=idempotency_key)

    def retry_job(self, job_id: str) -> types.AgentJob:
        """Sends the last message again, if it failed or was refused."""
        return self.retry_agent_job(job_id)

    def get_job(self, job_id: str) -> types.AgentJob:
        return self.get_agent_job(job_id)

    def get_diff(self, job_id: str) -> types.AgentJobDiff:
        return self.get_agent_job_diff(job_id)

    def cancel_job(self, job_id: str, *, keep_work: bool = False) -> types.AgentJob:
        return self.cancel_agent_job(job_id, {"keepWork": keep_work})

    def merge_job(self, job_id: str, *, head: Optional[str] = None) -> types.AgentJob:
        """Merges the pull request of a job that has ended. With `head` any other commit is refused (`conflict`)."""
        return self.merge_agent_job(job_id, None if head is None else {"head": head})

    def close_job(self, job_id: str, *, head: Optional[str] = None) -> types.AgentJob:
        """Closes it without merging."""
        return self.close_agent_job(job_id, None if head is None else {"head": head})

    def wait_for_job(self, job_id: str, *, timeout: float = 3_600.0) -> types.AgentJob:
        """Asks until the job is no longer active. A `failed` job is an answer, not an error."""
        return wait_for_job(lambda: self.get_job(job_id), timeout=timeout)

    def stream_events(self, job_id: str, *, after: int = 0) -> Iterator[types.AgentJobEvent]:
        """The transcript as it grows, each event once and in order, over lost connections, until the job is at rest."""
        ids = {"projectId": None, "id": job_id}
        path = self._address("/v2/agent/{projectId}/job/{id}/stream", ids)
        return follow_events(self._transport, path, after=after, get_job=lambda: self.get_job(job_id))

    def visitors(
        self, *, date_from: Optional[str] = None, date_to: Optional[str] = None, page_size: int = 250
    ) -> Iterator[types.Visitors]:
        """Pages of the visitor counts. Dates are `YYYY-MM-DD`; `date_to` is the day after the last."""
        return self.pages("getVisitors", query={"dateFrom": date_from, "dateTo": date_to, "limit": page_size})

    def _ask(self, _operation: str, _ids: Dict[str, Optional[str]], **_call: Any) -> Any:
        call: Dict[str, Any] = {**_call, **_ids}
        return self.request(_operation, **call).body

    def _each(self, _operation: str, _ids: Dict[str, Optional[str]], **_call: Any) -> Iterator[Any]:
        field = OPERATIONS[_operation][2] or ""
        call: Dict[str, Any] = {**_call, **_ids}
        for page in self.pages(_operation, **call):
            items: Any = cast("Dict[str, Any]", page).get(field) if isinstance(page, dict) else None
            if not isinstance(items, list):
                raise DocentError("unexpected_answer", f"The answer has no {field}.")
            yield from cast("List[Any]", items)

    def _find(self, operation: str, ids: Mapping[str, Optional[str]]) -> "tuple[str, str, Optional[str]]":
        if operation not in OPERATIONS:
            raise DocentError("invalid", f"There is no operation {operation}.")
        method, path, field = OPERATIONS[operation]
        return method, self._address(path, ids), field

    def _address(self, path: str, ids: Mapping[str, Optional[str]]) -> str:
        def place(match: "re.Match[str]") -> str:
            name = match.group(1)
            value = ids.get(name)
            if value is None and name == "projectId":
                value = self.project_id
            # Addresses with an empty part, or with dots, are those of something else.
            if not isinstance(value, str) or value in ("", ".", ".."):
                raise DocentError("invalid", f"{name} is missing.")
            return urllib.parse.quote(value, safe="")

        return re.sub(r"\{(\w+)\}", place, path)
