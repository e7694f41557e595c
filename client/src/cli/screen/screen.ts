import type { Host, Output } from '../host/host.ts';
import { cleanLines, cleanParagraphs, cleanText } from './clean-text.ts';
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
  /** The lines of a table whose texts come from anybody, no wider than the screen. */
  layOut<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[];
  /** One line that is written over until it is ended. */
  progress(text: string): void;
  /** It goes, */
  endProgress(): void;
  /** or it stays. */
  keepProgress(): void;
  /** Lines in the place of those before. */
  redraw(lines: readonly string[]): void;
  /** Text that is laid out already, as CSV is; harmless on a terminal, elsewhere as it is. */
  raw(text: string): void;
}

export function openScreen({ out, err, environment }: Host): Screen {
  // What is piped is as wide as it is; a terminal that does not know its width says 0.
  const width = out.isTTY ? out.columns || usualWidth : Number.POSITIVE_INFINITY;
  const paint = createPaint(out, environment);
  let drawn = 0;
  const join = (output: Output, lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('');
    return output.isTTY ? cleanLines(text) : text;
  };
  return {
    isLive: out.isTTY === true,
    width,
    paint,
    say: (...lines) => out.write(join(out, lines)),
    tell: (...lines) => err.write(join(err, lines)),
    layOut: (rows, columns) => {
      const [head = '', ...lines] = writeTable(rows, columns.map(clean), width);
      return [paint('dim', head), ...lines];
    },
    progress: (text) => {
      if (err.isTTY) err.write(`\r${cleanText(text)}\x1b[K`);
    },
    endProgress: () => {
      if (err.isTTY) err.write('\r\x1b[K');
    },
    keepProgress: () => {
      if (err.isTTY) err.write('\n');
    },
    redraw: (lines) => {
      const up = drawn > 0 ? `\x1b[${drawn}A` : '';
      out.write(`${up}\x1b[J${join(out, lines)}`);
      drawn = lines.length;
    },
    raw: (text) => out.write(out.isTTY ? cleanParagraphs(text) : text),
  };
}

function clean<Row>(column: Column<Row>): Column<Row> {
  return { ...column, cell: (row) => cleanText(column.cell(row)) };
}
