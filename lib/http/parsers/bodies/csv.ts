import { type CsvRecord, cutCells, readRecords } from '#client/src/rows/read-records.ts';
import { explainFault } from '#lib/csv/explain-fault.ts';
import type { Reading } from '../reading.ts';

export type RawRow = { readonly line: number } & Reading<object>;

export function wrongRow(
  line: number,
  message: string,
): { readonly line: number } & Reading<never> {
  return { line, problems: [{ location: 'body', name: 'row', message }] };
}

/**
 * Reads CSV (RFC 4180) row by row. The first line names the fields; `set.time` is the field `time`
 * inside of `set`. An empty cell counts as a field that was not sent.
 */
export function* readCsv(text: string): Generator<RawRow> {
  const records = readRecords(text);
  const { value: header } = records.next();
  if (!header) return;
  const names = cutCells(header).map((name) => name.trim());
  const fault = explainFault(header) ?? judgeNames(names);
  if (fault !== undefined) return yield wrongRow(header.line, fault);
  for (const record of records) yield readRecord(names, record);
}

/** Several times as many as a row can have. */
export const mostFields = 50;

function judgeNames(names: readonly string[]): string | undefined {
  if (names.length > mostFields) {
    return `The first line names ${names.length} fields, but at most ${mostFields} are allowed.`;
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined
    ? undefined
    : `The first line names '${twice}' twice. Name each field once.`;
}

function readRecord(names: readonly string[], record: CsvRecord): RawRow {
  const { line, size } = record;
  const fault = explainFault(record);
  if (fault !== undefined) return wrongRow(line, fault);
  if (size === names.length) return { line, output: nameCells(names, cutCells(record)) };
  return wrongRow(
    line,
    `It has ${size} cells, but the first line names ${names.length} fields. Separate them with commas.`,
  );
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
