const quote = 34;
const comma = 44;
const space = 32;
const lineFeed = 10;
const carriageReturn = 13;
const afterAscii = 128;

export interface RecordSurvey {
  readonly records: number;
  /** The bytes of the longest cell of each column, with its quotes. */
  readonly longest: readonly number[];
}

/**
 * Counts the records of a CSV in UTF-8 and measures the longest cell of each column in one pass over
 * its bytes, which takes a tenth of the time of splitting it. Returns undefined for anything that
 * needs a closer look, such as a wrong number of cells, a record of blank cells, or misplaced
 * quotes.
 */
export function surveyRecords(
  bytes: Uint8Array,
  from: number,
  columns: number,
): RecordSurvey | undefined {
  const longest = new Array<number>(columns).fill(0);
  let records = 0;
  let at = from;
  while (at < bytes.length) {
    if (!isLineEnd(bytes[at])) {
      at = surveyRecord(bytes, at, longest);
      if (at === -1) return undefined;
      records += 1;
    }
    at += 1;
  }
  return { records, longest };
}

/** Returns the end of a record, or -1. */
function surveyRecord(bytes: Uint8Array, from: number, longest: number[]): number {
  let at = from;
  let end = from;
  let blank = true;
  for (let column = 0; column < longest.length; column += 1) {
    if (column > 0 && bytes[end] !== comma) return -1;
    end = findCellEnd(bytes, at);
    if (end === -1) return -1;
    longest[column] = Math.max(longest[column] ?? 0, end - at);
    if (blank) blank = mayBeBlank(bytes, at, end);
    at = end + 1;
  }
  return blank || bytes[end] === comma ? -1 : end;
}

/** The bytes that end a cell, and the quote, which may not be within one. */
const ends = new Uint8Array(256);
for (const code of [comma, lineFeed, carriageReturn, quote]) ends[code] = 1;

function findCellEnd(bytes: Uint8Array, from: number): number {
  if (bytes[from] === quote) return findQuotedEnd(bytes, from);
  let at = from;
  while (at < bytes.length && ends[bytes[at] ?? 0] === 0) at += 1;
  return bytes[at] === quote ? -1 : at;
}

function findQuotedEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  do {
    at = bytes.indexOf(quote, at + 1) + 1;
    if (at === 0) return -1;
  } while (bytes[at] === quote);
  const isEnd = at === bytes.length || bytes[at] === comma || isLineEnd(bytes[at]);
  return isEnd ? at : -1;
}

/** Judges a cell by its beginning. There are blanks beyond ASCII. */
function mayBeBlank(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === quote ? start + 1 : start;
  const code = bytes[first] ?? space;
  return first >= end || code <= space || code === quote || code >= afterAscii;
}

function isLineEnd(code: number | undefined): boolean {
  return code === lineFeed || code === carriageReturn;
}
