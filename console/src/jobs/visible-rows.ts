/** Rows that are kept beyond what is seen, so that scrolling shows no gaps. */
const beyond = 6;

/** Which of many rows of one height are to be there: ten thousand scroll like ten. */
export function visibleRows(
  {
    top,
    height,
  }: {
    /** How far the beginning of the list is above what is seen. */
    readonly top: number;
    readonly height: number;
  },
  rowHeight: number,
  count: number,
): { readonly first: number; readonly end: number } {
  const first = Math.floor(top / rowHeight) - beyond;
  const end = Math.ceil((top + height) / rowHeight) + beyond;
  return { first: clamp(first, count), end: clamp(end, count) };
}

function clamp(row: number, count: number): number {
  return Math.max(0, Math.min(count, row));
}
