"""Durations as people write them."""

from __future__ import annotations

import math
import re
from datetime import timedelta
from typing import TypeAlias

#: A number of hours, a text such as ``"1:30:00"`` or ``"1h30m"``, or a timedelta.
Runtime: TypeAlias = float | str | timedelta

_SECONDS_OF = {
    **dict.fromkeys(("s", "sec", "second"), 1),
    **dict.fromkeys(("m", "min", "minute"), 60),
    **dict.fromkeys(("h", "hr", "hour"), 3600),
    **dict.fromkeys(("d", "day"), 86_400),
    **dict.fromkeys(("w", "week"), 604_800),
}
_CLOCK = re.compile(r"(\d+):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_PART = re.compile(rf"\s*({_NUMBER})\s*([a-z]+?)s?\s*(?![a-z])", re.ASCII | re.IGNORECASE)
#: A number of hours as the interface writes it in text (4.2).
_HOURS = re.compile(r"\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)


def read_duration(text: str) -> float | None:
    """
    Reads seconds as the command does: ``2h30m``, ``90 min`` or ``2:30:00``.

    Returns None for all else, also for a bare number, which schedulers take for minutes and people
    for hours.
    """
    if clock := _CLOCK.fullmatch(text.strip()):
        hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        return hours * 3600 + minutes * 60 + seconds
    parts = list(_PART.finditer(text))
    units = [_SECONDS_OF.get(part[2].lower()) for part in parts]
    if not parts or None in units or "".join(part[0] for part in parts) != text:
        return None
    return sum(
        float(part[1].replace(",", "")) * (unit or 0)
        for part, unit in zip(parts, units, strict=True)
    )


def read_runtime(given: Runtime) -> float:
    """
    Returns the hours of a duration, and says how to write what is none.

    A number without a unit means hours, as it does in HTTP.
    """
    if isinstance(given, timedelta):
        return given.total_seconds() / 3600
    if isinstance(given, str):
        seconds = read_duration(given)
        plain = _HOURS.fullmatch(given.strip())
        hours = float(given) if plain else (seconds or 0) / 3600
        if 0 < hours < math.inf:
            return hours
    elif isinstance(given, (int, float)) and not isinstance(given, bool) and math.isfinite(given):
        return given
    raise ValueError(
        f"runtime is {given!r}, which is not a duration. Write a number of hours, a text such as "
        "'1h30m' or '1:30:00', or a timedelta."
    )
