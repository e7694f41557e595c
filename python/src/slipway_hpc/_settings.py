"""The limits of a client."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ._durations import read_duration

_TIMEOUT = 40.0

#: Even a poor connection sends this many bytes in a second.
_BYTES_PER_SECOND = 20_000


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Limits, so that a silent service or an endless answer does not block a program."""

    #: Seconds for one try, up to the end of the answer. Downloads and uploads may stall this long.
    timeout: float = _TIMEOUT
    #: How often a request is retried.
    retries: int = 6
    #: Bytes of an answer, except files.
    max_answer_bytes: int = 32_000_000
    #: Pages of a list.
    max_pages: int = 10_000

    def time_for(self, bytes_sent: int) -> float:
        """Returns the seconds for one try. A large body gets more."""
        return self.timeout + bytes_sent / _BYTES_PER_SECOND


def read_timeout() -> float:
    """Reads ``SLIPWAY_TIMEOUT`` as the command does: ``30s``, ``2m`` or ``1m30s``."""
    text = os.environ.get("SLIPWAY_TIMEOUT", "").strip()
    if not text:
        return _TIMEOUT
    seconds = read_duration(text)
    if not seconds:
        raise ValueError(
            f"SLIPWAY_TIMEOUT is '{text}', which is not a duration. "
            "Write it with its unit, such as 30s or 2m."
        )
    return seconds
