import type { Host } from '../run/host.ts';
import { cleanText } from './clean-text.ts';
import { createPaint, type Paint } from './paint.ts';
import { type Column, writeTable } from './write-table.ts';

const usualWidth = 80;

/** Where a command writes: what was asked for to `out`, everything around it to `err`. */
export interface Screen {
  /** Whether a person looks at it, who can be shown what moves. */
  readonly isLive: boolean;
  readonly width: number;
  readonly paint: Paint;
  say(...lines: readonly string[]): void;
  /** About the work, not its result. */
  tell(...lines: readonly string[]): void;
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void;
  /** One line that is written over until it is ended. */
  progress(text: string): void;
  endProgress(): void;
  /** Lines in the place of those before. */
  redraw(lines: readonly string[]): void;
  raw(text: string): void;
}

export function openScreen({ out, err, environment }: Host): Screen {
  // What is piped into a file or another program is as wide as it is.
  const width = out.isTTY ? (out.columns ?? usualWidth) : Number.POSITIVE_INFINITY;
  const paint = createPaint(out, environment);
  let drawn = 0;
  const screen: Screen = {
    isLive: out.isTTY === true,
    width,
    paint,
    say: (...lines) => out.write(lines.map((line) => `${line}\n`).join('')),
    tell: (...lines) => err.write(lines.map((line) => `${line}\n`).join('')),
    table: (rows, columns) => {
      const [head = '', ...rest] = layOut(rows, columns, width);
      screen.say(paint('dim', head), ...rest);
    },
    progress: (text) => {
      if (err.isTTY) err.write(`\r${text}\x1b[K`);
    },
    endProgress: () => {
      if (err.isTTY) err.write('\r\x1b[K');
    },
    redraw: (lines) => {
      const up = drawn > 0 ? `\x1b[${drawn}A` : '';
      out.write(`${up}\x1b[J${lines.map((line) => `${line}\n`).join('')}`);
      drawn = lines.length;
    },
    raw: (text) => out.write(text),
  };
  return screen;
}

/** The lines of a table whose texts come from anybody. */
export function layOut<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string[] {
  const cleaned = columns.map((column) => ({ ...column, cell: (row: Row) => cleanText(column.cell(row)) }));
  return writeTable(rows, cleaned, width);
}
