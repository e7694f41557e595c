"""Amounts that add up as they are shown, with the precision of the console and the command."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal

_MOST_DECIMALS = 2
#: Of less than one hour, each second is seen.
_MOST_OF_LITTLE = 4


def write_parts(parts: Sequence[float]) -> tuple[list[str], str]:
    """Writes the parts of a whole and the whole with one precision. A part that is not nothing is
    ``under 0.01`` at least. What is left comes first, and is rounded down, so it can be had."""
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
    lose most by rounding down are rounded up, but never the first."""
    # Without noise, so that 0.29 is 29 hundredths and not 28.999999999999996.
    exact = [round(Decimal(part).scaleb(decimals), 6) for part in parts]
    floors = [int(each // 1) for each in exact]
    missing = int(sum(exact, Decimal()).to_integral_value(ROUND_HALF_UP)) - sum(floors)
    rising = [at for at in range(1, len(exact)) if exact[at] > floors[at]]
    for at in sorted(rising, key=lambda at: floors[at] - exact[at])[:missing]:
        floors[at] += 1
    return floors, sum(floors)


def _count_decimals(value: float) -> int:
    """Counts the decimals with which a number is shown by itself."""
    if value == 0:
        return 0
    exact = round(Decimal(value), 6)
    places = 2 if exact >= Decimal("0.1") else 1 - exact.adjusted()
    text = f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_FLOOR).normalize():f}"
    return len(text.partition(".")[2])


def _write(units: int, decimals: int) -> str:
    text = f"{Decimal(units).scaleb(-decimals):,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text
