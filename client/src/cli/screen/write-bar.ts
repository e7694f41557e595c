/** A share of a whole as a line of so many columns; something is never nothing. */
export function writeBar(
  share: number,
  columns: number,
  [full, empty] = ['━', '─'] as const,
): string {
  const bounded = Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share));
  const filled =
    bounded > 0 && bounded < 1
      ? clamp(Math.round(bounded * columns), 1, columns - 1)
      : bounded * columns;
  return `${full.repeat(filled)}${empty.repeat(columns - filled)}`;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
