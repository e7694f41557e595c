"""What notebooks show. Everything from the service is escaped, and nothing has a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from itertools import pairwise
from typing import Any

from ._amounts import write_parts

_GREEN = "#2e7d32"
_RED = "#c62828"
_BLUE = "#1565c0"
_GREY = "#9e9e9e"
_PALE = "#e0e0e0"
_MOST_CELLS = 2_000
_MOST_ROWS = 100
_MOST_STAGES = 10


def write_table_html(rows: Sequence[Mapping[str, Any]]) -> str:
    """Writes a table of rows. A long one is cut, and says so."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{_write(row.get(name))}</td>" for name in names) + "</tr>"
        for row in rows[:_MOST_ROWS]
    )
    more = len(rows) - _MOST_ROWS
    rest = f"<p>and {more} more</p>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def _write(value: object) -> str:
    return "" if value is None else escape(str(value))


def write_job_html(
    *,
    title: str,
    job_id: str,
    place: str,
    stage: str,
    ended: bool,
    failed: bool,
    timeline: Any = None,
) -> str:
    """Writes a job with its stage in colour, and its timeline if it is known."""
    colour = _RED if failed else _GREEN if ended else _BLUE
    return (
        f"<div><b>{escape(title or '(no title)')}</b> "
        f'<span style="color:white;background:{colour};border-radius:4px;padding:1px 6px">'
        f"{escape(stage)}</span> <code>{escape(job_id)}</code> on {escape(place)}</div>"
        f"{write_timeline_html(timeline) if timeline is not None else ''}"
    )


def write_timeline_html(timeline: Any) -> str:
    """Writes the stages in a row, each with its time, and why the job waits or failed."""
    stages = list(timeline.stages)
    lasted = [_seconds_between(one.since, other.since) for one, other in pairwise(stages)]
    steps = [
        f'<span title="{escape(each.since)}">{escape(each.stage)}'
        f"{f' {_write_duration(seconds)}' if seconds is not None else ''}</span>"
        for each, seconds in zip(
            stages[-_MOST_STAGES:], [*lasted, None][-_MOST_STAGES:], strict=True
        )
    ]
    since = f" since {escape(stages[-1].since)}" if stages else ""
    reason = f"<div>{escape(timeline.reason)}</div>" if timeline.reason else ""
    return f'<div style="opacity:0.8">{" → ".join(steps)}{since}</div>{reason}'


def _seconds_between(one: str, other: str) -> int | None:
    try:
        times = [datetime.fromisoformat(each.replace("Z", "+00:00")) for each in (one, other)]
        return round((times[1] - times[0]).total_seconds())
    except (ValueError, TypeError):
        return None


def _write_duration(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} s"
    minutes = seconds // 60
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min"


def write_bar_html(parts: Sequence[tuple[float, str, str]], label: str) -> str:
    """Writes a bar of parts, each with its share, colour and name."""
    cells = "".join(
        f'<span title="{escape(name)}" style="display:inline-block;height:12px;'
        f'width:{min(1.0, max(0.0, share)):.4%};background:{colour}"></span>'
        for share, colour, name in parts
    )
    return (
        f'<div role="img" aria-label="{escape(label)}" style="width:320px;background:{_PALE};'
        f'line-height:0;border-radius:3px;overflow:hidden">{cells}</div>'
        f"<div>{escape(label)}</div>"
    )


_COLOURS = {
    "done": _GREEN,
    "failed": _RED,
    "cancelled": _GREY,
    "running": _BLUE,
    "active": _BLUE,
}


def write_counts_html(counts: Mapping[str, int], label: str) -> str:
    """Writes a bar of the states of a batch, whose jobs are not known."""
    whole = max(1, sum(counts.values()))
    parts = [
        (counts[state] / whole, _COLOURS[state], state) for state in _COLOURS if counts.get(state)
    ]
    return write_bar_html(parts, label)


def write_strip_html(states: Sequence[str], label: str) -> str:
    """Writes a cell for each job of a batch."""
    cells = "".join(
        f'<span title="{number}: {escape(state)}" style="display:inline-block;width:8px;'
        f'height:12px;margin:0 1px 1px 0;background:{_COLOURS.get(state, _PALE)}"></span>'
        for number, state in enumerate(states[:_MOST_CELLS])
    )
    more = len(states) - _MOST_CELLS
    rest = f"<div>and {more} more</div>" if more > 0 else ""
    return (
        f'<div role="img" aria-label="{escape(label)}" style="max-width:720px;line-height:0">'
        f"{cells}</div>{rest}<div>{escape(label)}</div>"
    )


class QuotaFace:
    """Shows a quota as a bar, also in lists."""

    _has_face = True

    def _repr_html_(self) -> str:
        quota: Any = self
        place = f"{quota.project_hpc.lower()} / {quota.project_name}"
        usage = quota.usage
        if usage is None:
            [left], _ = write_parts([quota.time_left / 3600])
            return f"<div><b>{escape(place)}</b>: {left} hours left</div>"
        time = usage.time
        whole = max(1, time.granted)
        hours = [seconds / 3600 for seconds in (time.left, time.held, time.used)]
        [left, reserved, used], granted = write_parts(hours)
        label = f"{place}: {left} of {granted} hours left, {reserved} reserved, {used} used"
        parts = [(time.used / whole, _GREY, "used"), (time.held / whole, _BLUE, "reserved")]
        return write_bar_html([*parts, (time.left / whole, _GREEN, "left")], label)


class TimelineFace:
    """Shows a timeline as its stages."""

    def _repr_html_(self) -> str:
        return write_timeline_html(self)
