"""Decides whether a request is sent again, and when."""

from __future__ import annotations

import asyncio
import json
import random
import time
from email.utils import parsedate_to_datetime
from typing import Any

from . import models, problems
from ._problem import SlipwayProblem

_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 30.0
#: Callers decide themselves about longer waits.
_LONGEST_WAIT = 300.0

#: Refusals that changed nothing, so that any request may be sent again.
_UNTOUCHED = {"busy", "identity-unavailable", "idempotency-key-in-use"}
#: The service, or something before it, is away for a moment.
_AWAY = {502, 503, 504}


def choose_pause(count: int, retry_after: float | None) -> float | None:
    """
    Returns the pause before the next try, or None if the service asks for too long a wait.

    Pauses grow. Jitter keeps clients that were refused together from returning together.
    """
    asked = retry_after or 0.0
    if asked > _LONGEST_WAIT:
        return None
    grown: float = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**count)
    return max(asked, grown * random.uniform(0.5, 1))


def may_repeat(problem: SlipwayProblem, repeatable: bool) -> bool:
    """Says whether a refused request may be sent again."""
    if problem.name in _UNTOUCHED or problem.status == 429:
        return True
    return repeatable and problem.status in _AWAY


def read_problem(status: int, text: str, retry_after: str | None) -> SlipwayProblem:
    """Makes the exception for an answer of 400 or more."""
    body = _read_body(status, text)
    problem = models.Problem.from_json(body)
    name = problem.type.rpartition(":")[2]
    made = problems.by_name.get(name, SlipwayProblem)
    return made(problem, read_retry_after(retry_after))


def _read_body(status: int, text: str) -> dict[str, Any]:
    """Reads a problem. Gateways in between answer in their own formats."""
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if (
        isinstance(body, dict)
        and isinstance(body.get("type"), str)
        and isinstance(body.get("detail"), str)
    ):
        return {"title": "", "instance": "", **body, "status": status}
    said = f": {text[:200]}" if text else "."
    return {
        "type": "about:blank",
        "title": "",
        "status": status,
        "detail": f"The service answered {status}{said}",
        "instance": "",
    }


def read_retry_after(header: str | None) -> float | None:
    """Reads seconds or a date."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header[:9])
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def pause(seconds: float) -> None:
    """Pauses."""
    time.sleep(seconds)


async def pause_async(seconds: float) -> None:
    """Pauses, and lets other tasks run."""
    await asyncio.sleep(seconds)
