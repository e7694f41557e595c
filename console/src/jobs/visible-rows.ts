/** Rows that are kept beyond what is seen, so that scrolling shows no gaps. */
const beyond = 6;

export interface Rows {
  readonly first: number;
  readonly end: number;
}

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
): Rows {
  const first = Math.floor(top / rowHeight) - beyond;
  const end = Math.ceil((top + height) / rowHeight) + beyond;
  return { first: clamp(first, count), end: clamp(end, count) };
}

export function isSame(one: Rows, other: Rows): boolean {
  return one.first === other.first && one.end === other.end;
}

function clamp(row: number, count: number): number {
  return Math.max(0, Math.min(count, row));
}
