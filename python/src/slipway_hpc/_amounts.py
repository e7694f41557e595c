"""Amounts that add up as they are shown, with the precision of the console and the command."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

_MOST_DECIMALS = 2
#: Of less than one hour, each second is seen.
_MOST_OF_LITTLE = 4


def write_parts(parts: Sequence[float]) -> tuple[list[str], str]:
    """Writes the parts of a whole and the whole with one precision. A part that is not nothing is
    ``under 0.01`` at least."""
    most = _MOST_OF_LITTLE if sum(parts) < 1 else _MOST_DECIMALS
    decimals = min(most, max((_count_decimals(part) for part in parts), default=0))
    rounded, whole = round_together(parts, decimals)
    written = [
        _write(units, decimals) if units or not part else f"under {_write(1, decimals)}"
        for units, part in zip(rounded, parts, strict=True)
    ]
    return written, _write(whole, decimals)


def round_together(parts: Sequence[float], decimals: int) -> tuple[list[int], int]:
    """Rounds to whole units of the last decimal so that their sum is the rounded sum: those that
    lose most by rounding down are rounded up."""
    # Without noise, so that 0.29 is 29 hundredths and not 28.999999999999996.
    exact = [round(Decimal(part).scaleb(decimals), 6) for part in parts]
    whole = int(sum(exact, Decimal()).to_integral_value(ROUND_HALF_UP))
    floors = [int(each // 1) for each in exact]
    most_lost = sorted(range(len(exact)), key=lambda at: floors[at] - exact[at])
    for at in most_lost[: whole - sum(floors)]:
        floors[at] += 1
    return floors, whole


def _count_decimals(value: float) -> int:
    """Counts the decimals with which a number is shown by itself: fewer the larger it is."""
    if value >= 1000 or value == 0:
        return 0
    places = 1 if value >= 10 else 2
    if value < 0.1:
        places = 1 - Decimal(value).adjusted()
    text = f"{Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP).normalize():f}"
    return len(text.partition(".")[2])


def _write(units: int, decimals: int) -> str:
    text = f"{Decimal(units).scaleb(-decimals):,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text
