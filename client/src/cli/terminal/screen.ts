import { type english, phrase } from '../words/phrase.ts';
import type { Host, Output } from './host.ts';
import {
  cleanLines,
  cleanParagraphs,
  cleanText,
  createPaint,
  cutText,
  measureText,
  padText,
  wrapText,
} from './text.ts';

const usualWidth = 80;

export type Screen = ReturnType<typeof openScreen>;

/** Writes results to `out` and everything else to `err`. */
export function openScreen({ out, err, environment }: Host) {
  // Pipes have no width limit. A terminal that does not know its width reports 0.
  const width = out.isTTY ? out.columns || usualWidth : Number.POSITIVE_INFINITY;
  const paint = createPaint(out, environment);
  let drawn = 0;
  const join = (output: Output, lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('');
    return output.isTTY ? cleanLines(text) : text;
  };
  return {
    /** True on a terminal, where a person can watch progress. */
    isLive: out.isTTY === true,
    width,
    paint,
    say: (...lines: readonly string[]) => out.write(join(out, lines)),
    /** Writes a message about the work, which is not part of its result. */
    tell: (...lines: readonly string[]) => err.write(join(err, lines)),
    /** Lays out a table no wider than the screen. Cleans its texts, which may come from anybody. */
    layOut: <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => {
      const [head = '', ...lines] = writeTable(rows, columns.map(clean), width);
      return [paint('dim', head), ...lines];
    },
    /** Overwrites one line until progress ends. */
    progress: (text: string) => {
      if (err.isTTY) err.write(`\r${cleanText(text)}\x1b[K`);
    },
    /** Removes the progress line. */
    endProgress: () => {
      if (err.isTTY) err.write('\r\x1b[K');
    },
    /** Keeps the progress line as it is. */
    keepProgress: () => {
      if (err.isTTY) err.write('\n');
    },
    /** Replaces the lines of the last redraw. */
    redraw: (lines: readonly string[]) => {
      const up = drawn > 0 ? `\x1b[${drawn}A` : '';
      // Lines that have left the screen at its top cannot be replaced.
      const fitting = lines.slice(0, Math.max(1, (out.rows || Number.POSITIVE_INFINITY) - 1));
      out.write(`${up}\x1b[J${join(out, fitting)}`);
      drawn = fitting.length;
    },
    /** Writes text that has its layout already, such as CSV. Cleans it on a terminal only. */
    raw: (text: string) => out.write(out.isTTY ? cleanParagraphs(text) : text),
  };
}

function clean<Row>(column: Column<Row>): Column<Row> {
  return { ...column, cell: (row) => cleanText(column.cell(row)) };
}

/** The message of a heading. */
type Heading = Extract<keyof typeof english, `${string}.head${string}`>;

export interface Column<Row> {
  /** Names the column in every language alike. */
  readonly id?: Heading;
  readonly head: string;
  readonly cell: (row: Row) => string;
  readonly align?: 'right';
  /** Colours the cell. Applied after layout, because colour codes take no columns. */
  readonly paint?: (row: Row, text: string) => string;
  /** A narrow terminal drops the columns with the highest number first. */
  readonly spare?: number;
  /**
   * Whether the column gets narrower if the table is too wide. Its texts are cut; those of the last
   * column are wrapped.
   */
  readonly shrinks?: boolean;
  /** Whether the column is left out if all its cells are empty. */
  readonly mayBeEmpty?: boolean;
}

type How<Row> = Omit<Column<Row>, 'id' | 'head' | 'cell'>;

/** Creates a column by the message of its heading, or one without a heading. */
export function column<Row>(
  id: Heading | '',
  cell: (row: Row) => string,
  how: How<Row> = {},
): Column<Row> {
  return id === '' ? { head: '', cell, ...how } : { id, head: phrase(id), cell, ...how };
}

/** Creates a column of numbers, whose digits stand below each other. */
export function rightColumn<Row>(
  id: Heading,
  cell: (row: Row) => string,
  how: How<Row> = {},
): Column<Row> {
  return column(id, cell, { align: 'right', ...how });
}

const gap = '  ';
const narrowest = 8;
/** A wrapped column that is narrower is hard to read. */
const narrowestWrapped = 24;
/** Keeps lines in files and pipes short, where no terminal limits them. */
const widestInPipes = 40;

/** Writes a line of headings, then the lines of each row, no wider than the terminal. */
export function writeTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string[] {
  const filled = columns.filter(
    ({ mayBeEmpty, cell }) => !mayBeEmpty || rows.some((row) => cell(row) !== ''),
  );
  const fitting = dropSpare(rows, filled, width);
  const widths = shrink(rows, fitting, width);
  const last = fitting.length - 1;
  const write = (
    cells: readonly (readonly string[])[],
    paint: (at: number, text: string) => string,
  ) =>
    Array.from({ length: Math.max(1, ...cells.map(({ length }) => length)) }, (_, line) =>
      fitting
        .map(({ align }, at) => {
          const side = align === 'right' ? 'start' : 'end';
          return paint(at, padText(cells[at]?.[line] ?? '', widths[at] ?? 0, side));
        })
        .join(gap)
        .trimEnd(),
    );
  const lay = ({ shrinks }: Column<Row>, at: number, text: string) => {
    const room = widths[at] ?? 0;
    return shrinks && at === last ? wrapText(text, room) : [cutText(text, room)];
  };
  return [
    ...write(
      fitting.map((column, at) => [cutText(column.head, widths[at] ?? 0)]),
      (_, text) => text,
    ),
    ...rows.flatMap((row) =>
      write(
        fitting.map((column, at) => lay(column, at, column.cell(row))),
        (at, text) => fitting[at]?.paint?.(row, text) ?? text,
      ),
    ),
  ];
}

function dropSpare<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): readonly Column<Row>[] {
  const least = sum(
    columns.map((column, at) => {
      const own = measure(rows, column);
      if (!column.shrinks) return own;
      return Math.min(own, at === columns.length - 1 ? narrowestWrapped : narrowest);
    }),
  );
  const spare = Math.max(0, ...columns.map((column) => column.spare ?? 0));
  if (least + gaps(columns) <= width || spare === 0) return columns;
  return dropSpare(
    rows,
    columns.filter((column) => column.spare !== spare),
    width,
  );
}

/** Narrows the wrapped column first, which loses no text, and below what reads well only at last. */
function shrink<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): number[] {
  const last = columns.length - 1;
  const widths = columns.map((column, at) => {
    const own = measure(rows, column);
    const isCapped = width === Number.POSITIVE_INFINITY && column.shrinks && at !== last;
    return isCapped ? Math.min(own, widestInPipes) : own;
  });
  const narrow = (isMeant: (at: number) => boolean, least: number) =>
    columns.forEach((column, at) => {
      const own = widths[at] ?? 0;
      const over = sum(widths) + gaps(columns) - width;
      if (!column.shrinks || !isMeant(at) || over <= 0) return;
      widths[at] = own - Math.min(over, Math.max(0, own - least));
    });
  narrow((at) => at === last, narrowestWrapped);
  narrow((at) => at !== last, narrowest);
  narrow((at) => at === last, narrowest);
  return widths;
}

function measure<Row>(rows: readonly Row[], { head, cell }: Column<Row>): number {
  return Math.max(measureText(head), ...rows.map((row) => measureText(cell(row))));
}

function gaps(columns: readonly unknown[]): number {
  return gap.length * Math.max(0, columns.length - 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** Draws a share as a bar. A share between 0 and 1 never looks empty or full. */
export function writeBar(
  share: number,
  columns: number,
  [full, empty] = ['━', '─'] as const,
): string {
  const bounded = Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share));
  const filled =
    bounded > 0 && bounded < 1
      ? Math.min(columns - 1, Math.max(1, Math.round(bounded * columns)))
      : bounded * columns;
  return `${full.repeat(filled)}${empty.repeat(columns - filled)}`;
}
