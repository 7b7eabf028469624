from __future__ import annotations

import http.client
import json
import time
from typing import Any, Callable, Dict, Iterator, List, Optional, cast

from . import types
from .errors import DocentError
from .transport import Transport

RESTING = {"job.completed", "job.failed", "job.archived"}
LOST = {"no_answer", "timeout", "unavailable", "rate_limited"}
# The server sends a heartbeat every 15 s: without a sign of life for so long the connection is dead.
SILENCE_SECONDS = 60.0
LONGEST_PAUSE_SECONDS = 30.0
# Some four minutes: a server that starts again, a proxy that has lost it.
FRUITLESS_CONNECTIONS = 10
# More than any event of ours, which are kept to a few kilobytes each.
LONGEST_LINE = 4 * 1024 * 1024
# Of one event, in all of its lines.
MOST_DATA = 4 * 1024 * 1024


def wait_for_job(get_job: Callable[[], types.AgentJob], *, timeout: float) -> types.AgentJob:
    """Asks until the job is no longer active, also over some minutes without an answer once there was one."""
    ends_at = time.monotonic() + timeout
    pause, fruitless, is_first = 0.5, 0, True
    while True:
        try:
            job = get_job()
        except DocentError as error:
            fruitless += 1
            wait = min(LONGEST_PAUSE_SECONDS, 2.0**fruitless)
            if is_first or error.code not in LOST or fruitless > FRUITLESS_CONNECTIONS or time.monotonic() + wait > ends_at:
                raise
            time.sleep(wait)
            continue
        fruitless, is_first = 0, False
        if job["status"] != "active":
            return job
        if time.monotonic() + pause > ends_at:
            raise DocentError("timeout", "The job is still active.")
        time.sleep(pause)
        pause = min(5.0, pause * 1.5)


def follow_events(
    transport: Transport, path: str, *, after: int, get_job: Callable[[], types.AgentJob], first_pause: float = 1.0
) -> Iterator[types.AgentJobEvent]:
    """The transcript, each event once and in order, over lost connections, until the job is at rest."""
    seen, fruitless, was_connected = after, 0, False
    while True:
        before, last = seen, ""
        trouble: Optional[DocentError] = None
        try:
            for event in _connection(transport, path, seen):
                was_connected = True
                if event is None:
                    return
                if event["seq"] <= seen:
                    continue
                seen, last = event["seq"], event["type"]
                yield event
            was_connected = True
            if get_job()["status"] != "active" and (seen == before or last in RESTING):
                return
        except DocentError as error:
            if not was_connected or error.code not in LOST:
                raise
            trouble = error
        fruitless = 0 if seen > before else fruitless + 1
        if fruitless > FRUITLESS_CONNECTIONS:
            raise trouble or DocentError("no_answer", "The stream of events breaks off again and again.")
        time.sleep(min(LONGEST_PAUSE_SECONDS, first_pause * 2.0**fruitless))


def _connection(transport: Transport, path: str, seen: int) -> Iterator[Optional[types.AgentJobEvent]]:
    """The events of one connection until it is closed or lost; None where the server says that nothing more comes."""
    headers = {"Accept": "text/event-stream", **({"Last-Event-ID": str(seen)} if seen else {})}
    with transport.open_stream(path, headers=headers, silence=SILENCE_SECONDS) as response:
        if response.status == 204:
            yield None
            return
        for name, text in _messages(response):
            event = None if name == "done" else _event_in(text)
            if event is not None or name == "done":
                yield event


def _messages(response: http.client.HTTPResponse) -> Iterator["tuple[str, str]"]:
    """Server-sent events, as name and data. What is cut off at the end is dropped, and so is a connection that sends too much."""
    name, data, size = "message", cast("List[str]", []), 0
    while True:
        try:
            line = response.readline(LONGEST_LINE)
        except (http.client.HTTPException, OSError):
            return
        if not line.endswith(b"\n"):
            return
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if text.startswith("data:"):
            size += len(text)
            if size > MOST_DATA:
                return
            data.append(text[5:].lstrip(" "))
        elif text.startswith("event:"):
            name = text[6:].strip()
        elif text == "":
            if data:
                yield name, "\n".join(data)
            name, data, size = "message", [], 0


def _event_in(text: str) -> Optional[types.AgentJobEvent]:
    try:
        event: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    read = cast("Dict[str, Any]", event)
    # Its further fields are the server's promise, as those of all answers are.
    is_event = isinstance(read.get("seq"), int) and isinstance(read.get("type"), str)
    return cast(types.AgentJobEvent, read) if is_event else None
