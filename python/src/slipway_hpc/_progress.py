"""Shows progress in a terminal or a notebook, and stays silent elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

_WIDTH = 30
_REDRAW_SECONDS = 0.1


class ProgressLine:
    """One line that is drawn again and again. Use it as a context manager."""

    def __init__(self, wanted: bool | None = None) -> None:
        """Shows progress if wanted, or by default if a person is likely to see it."""
        self._notebook = _open_display() if wanted is not False else None
        self._shown = wanted if wanted is not None else sys.stderr.isatty()
        self._drawn_at = 0.0
        self._last = ""

    def update(self, done: int, whole: int, text: str = "") -> None:
        """Draws a bar."""
        share = min(1.0, done / whole) if whole else 1.0
        filled = round(share * _WIDTH)
        bar = f"{'━' * filled}{'─' * (_WIDTH - filled)} {share:4.0%}  {text}"
        self._draw(bar, now=done >= whole)

    def say(self, text: str) -> None:
        """Draws a text."""
        self._draw(text, now=True)

    def _draw(self, line: str, *, now: bool) -> None:
        if not now and time.monotonic() - self._drawn_at < _REDRAW_SECONDS:
            return
        clean = "".join(each if each.isprintable() else " " for each in line)
        if clean == self._last:
            return
        self._drawn_at = time.monotonic()
        self._last = clean
        if self._notebook is not None:
            self._notebook.update({"text/plain": clean}, raw=True)
        elif self._shown:
            sys.stderr.write(f"\r{clean}\x1b[K")
            sys.stderr.flush()

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._last and self._shown and self._notebook is None:
            sys.stderr.write("\n")
            sys.stderr.flush()


def is_notebook() -> bool:
    """Says whether this program is the kernel of a notebook."""
    shell = sys.modules.get("IPython")
    running = None if shell is None else shell.get_ipython()
    return type(running).__name__ == "ZMQInteractiveShell"


def _open_display() -> Any:
    """Returns a handle of the notebook's output, or None outside of a notebook."""
    try:
        if not is_notebook():
            return None
        display = sys.modules["IPython"].display.display
        return display({"text/plain": ""}, raw=True, display_id=True)
    except Exception:
        return None
