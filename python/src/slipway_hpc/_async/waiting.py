"""Waits until something has ended."""

from __future__ import annotations

import time
from typing import Protocol

from .._errors import WaitTimeout
from .._progress import ProgressLine
from .transport import AsyncTransport

_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 30.0


class AsyncAwaited(Protocol):
    """A job or a batch."""

    @property
    def ended(self) -> bool: ...

    async def _check(self) -> bool:
        """Asks the service once, and says whether anything has changed."""
        ...

    def _show(self, line: ProgressLine) -> None: ...

    def _name(self) -> str: ...


async def wait_until_ended_async(
    awaited: AsyncAwaited,
    transport: AsyncTransport,
    *,
    timeout: float | None,
    progress: bool | None,
) -> None:
    """Polls. Backs off, and speeds up again while something changes."""
    deadline = None if timeout is None else time.monotonic() + timeout
    seconds = _FIRST_PAUSE
    with ProgressLine(progress) as line:
        try:
            awaited._show(line)
            while not awaited.ended:
                if deadline is not None:
                    left = deadline - time.monotonic()
                    if left <= 0:
                        raise WaitTimeout(
                            f"{awaited._name()} has not ended within {timeout:g} seconds. "
                            "It goes on."
                        )
                    seconds = min(seconds, left)
                await transport.pause(seconds)
                changed = await awaited._check()
                awaited._show(line)
                seconds = _FIRST_PAUSE if changed else min(_LONGEST_PAUSE, seconds * 1.5)
        except KeyboardInterrupt:
            line.say(f"{awaited._name()} goes on. wait() waits again, cancel() cancels.")
            raise
