"""The limits of a client."""

from __future__ import annotations

from dataclasses import dataclass

#: Even a poor connection sends this many bytes in a second.
_BYTES_PER_SECOND = 20_000


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Limits, so that a silent service or an endless answer does not block a program."""

    #: Seconds for one try, up to the end of the answer. Downloads and uploads may stall this long.
    timeout: float = 40.0
    #: How often a request is retried.
    retries: int = 6
    #: Bytes of an answer, except files.
    max_answer_bytes: int = 32_000_000
    #: Pages of a list.
    max_pages: int = 10_000

    def time_for(self, bytes_sent: int) -> float:
        """Returns the seconds for one try. A large body gets more."""
        return self.timeout + bytes_sent / _BYTES_PER_SECOND
