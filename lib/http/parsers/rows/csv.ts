import { type RawRow, wrongRow } from './row.ts';

/** A cell and what ends it. A quoted one holds commas, line breaks, and quotes that are doubled. */
const cellForm = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

const brokenQuotes =
  'Its quotes are wrong: a quote encloses a whole cell, and is doubled within one. Nothing from here on was read.';

interface CsvRecord {
  readonly line: number;
  /** Nothing where the text cannot be read from here on. */
  readonly cells: readonly string[] | undefined;
}

/**
 * CSV as RFC 4180 has it. Its first line names the fields; one with a dot, `set.time`, is a field
 * within another. An empty cell is a field that was not sent.
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

/** Lines with nothing on them are left out, and counted. */
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
