import type { Reading } from './reading.ts';

export type RawRow = { readonly line: number } & Reading<object>;

export function wrongRow(
  line: number,
  message: string,
): { readonly line: number } & Reading<never> {
  return { line, problems: [{ location: 'body', name: 'row', message }] };
}

/** A cell and its end. A quoted cell may hold commas, line breaks and doubled quotes. */
const cellForm = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

const brokenQuotes =
  'The quotes are wrong: a quote must enclose the whole cell, and quotes inside are doubled. The rest of the file was not read.';

interface CsvRecord {
  readonly line: number;
  /** Undefined if the text cannot be read from here on. */
  readonly cells: readonly string[] | undefined;
}

/**
 * Reads CSV (RFC 4180). The first line names the fields; `set.time` is the field `time` inside of
 * `set`. An empty cell counts as a field that was not sent.
 */
export function readCsv(text: string): RawRow[] {
  const [header, ...records] = splitRecords(text).filter(hasContent);
  if (!header) return [];
  const names = header.cells?.map((name) => name.trim());
  if (!names) return [wrongRow(header.line, brokenQuotes)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    return [wrongRow(header.line, `The first line names '${twice}' twice. Name each field once.`)];
  }
  return records.map(({ line, cells }) => {
    if (!cells) return wrongRow(line, brokenQuotes);
    if (cells.length !== names.length) {
      return wrongRow(
        line,
        `It has ${cells.length} cells, but the first line names ${names.length} fields. Separate them with commas.`,
      );
    }
    return { line, output: nameCells(names, cells) };
  });
}

/** Empty lines are skipped, but counted. */
function hasContent({ cells }: CsvRecord): boolean {
  return cells === undefined || cells.some((cell) => cell.trim() !== '');
}

function splitRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let start = 1;
  let line = 1;
  cellForm.lastIndex = 0;
  for (;;) {
    const cell = cellForm.exec(text);
    if (!cell) return [...records, { line: start, cells: undefined }];
    const [, quoted, plain = '', end = ''] = cell;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += countBreaks(quoted ?? '') + countBreaks(end);
    if (end === ',') continue;
    records.push({ line: start, cells });
    if (end === '') return records;
    cells = [];
    start = line;
  }
}

function countBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function nameCells(names: readonly string[], cells: readonly string[]): object {
  const sent = names.flatMap((name, index) => {
    const cell = cells[index] ?? '';
    const [outer = '', inner] = name.split('.', 2);
    return cell.trim() === '' ? [] : [{ outer, inner, cell }];
  });
  const groups = Map.groupBy(sent, ({ outer }) => outer);
  return Object.fromEntries(
    [...groups].map(([outer, fields]) => {
      const [first] = fields;
      const within = fields.map(({ inner = '', cell }) => [inner, cell]);
      return [outer, first?.inner === undefined ? first?.cell : Object.fromEntries(within)];
    }),
  );
}
