import { brokenQuotes, splitRecords } from '#lib/csv/split-records.ts';
import type { Reading } from './reading.ts';

export type RawRow = { readonly line: number } & Reading<object>;

export function wrongRow(
  line: number,
  message: string,
): { readonly line: number } & Reading<never> {
  return { line, problems: [{ location: 'body', name: 'row', message }] };
}

/**
 * Reads CSV (RFC 4180). The first line names the fields; `set.time` is the field `time` inside of
 * `set`. An empty cell counts as a field that was not sent.
 */
export function readCsv(text: string): RawRow[] {
  const [header, ...records] = splitRecords(text);
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
