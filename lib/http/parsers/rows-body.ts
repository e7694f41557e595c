import type * as v from 'valibot';
import { BodyTooLargeError, UnsupportedBodyError } from '../errors.ts';
import { type RawRow, readCsv, wrongRow } from './csv.ts';
import {
  type BodyKind,
  decodeText,
  type FieldsSchema,
  parseJson,
  type RawRequest,
  type Reading,
  readBytes,
  readFields,
} from './reading.ts';

/** One of many things in a body: its line, with its fields or everything that is wrong with it. */
export type Row<Fields> = { readonly line: number } & Reading<Fields>;

/** As many rows as one request has time for. */
export const maxRows = 1000;
export const maxRowsBytes = 1_000_000;

const forms: ReadonlyMap<string, (text: string) => RawRow[]> = new Map([
  ['application/x-ndjson', readJsonLines],
  ['text/csv', readCsv],
]);

/** A body of rows, which is read without waiting. */
export interface RowsBody<Fields> extends BodyKind<readonly Row<Fields>[]> {
  read(request: RawRequest): Reading<readonly Row<Fields>[]>;
}

/**
 * Reads rows of the same fields, one per line. A wrong row carries its own problems and does not
 * stop the others. A body that is not a list of rows is refused as a whole.
 */
export function rowsBody<S extends FieldsSchema>(schema: S): RowsBody<v.InferOutput<S>> {
  return {
    forms: { contents: { 'application/x-ndjson': schema, 'text/csv': 'bytes' }, required: true },
    read: (request) => {
      const read = chooseForm(request);
      const text = readText(request);
      if (text === undefined) return refuse('It is not text in UTF-8.');
      const rows = read(text);
      if (rows.length === 0) return refuse('It has no rows. Send at least one.');
      if (rows.length > maxRows) {
        return refuse(`It has ${rows.length} rows. Send at most ${maxRows} at once.`);
      }
      return { output: rows.map((row) => readRow(schema, row)) };
    },
  };
}

function readRow<S extends FieldsSchema>(schema: S, row: RawRow): Row<v.InferOutput<S>> {
  if ('problems' in row) return row;
  const reading = readFields(schema, row.output, {
    location: 'body',
    explainUnknown: (known) => `Unknown field. Known fields: ${known.join(', ')}.`,
  });
  return { line: row.line, ...reading };
}

function chooseForm({ headers }: RawRequest): (text: string) => RawRow[] {
  const contentType = headers['content-type'] ?? '';
  const [type = ''] = contentType.split(';');
  const form = forms.get(type.trim().toLowerCase());
  if (form) return form;
  const known = [...forms.keys()].map((each) => `'Content-Type: ${each}'`);
  throw new UnsupportedBodyError(contentType, `Send ${known.join(' or ')}.`);
}

/** Skips the byte order mark that some editors write. */
function readText(request: RawRequest): string | undefined {
  const bytes = readBytes(request);
  if (bytes.length > maxRowsBytes) {
    throw new BodyTooLargeError(bytes.length, maxRowsBytes, 'Send the rows in several requests.');
  }
  return decodeText(bytes);
}

function refuse(message: string): Reading<never> {
  return { problems: [{ location: 'body', name: 'body', message }] };
}

/** Reads one JSON object per line. Empty lines are skipped, but counted. */
function readJsonLines(text: string): RawRow[] {
  return text
    .split('\n')
    .flatMap((content, index) => (content.trim() === '' ? [] : [readLine(content, index + 1)]));
}

function readLine(content: string, line: number): RawRow {
  const value = parseJson(content);
  if (value === undefined) return wrongRow(line, 'It is not valid JSON.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return wrongRow(line, 'It must be a JSON object.');
  }
  return { line, output: value };
}

/** Refuses rows about the same thing after the first: rows run in parallel and have no order. */
export function refuseRepeated<Fields>(
  rows: readonly Row<Fields>[],
  subjectOf: (fields: Fields) => string,
): Row<Fields>[] {
  const firstLines = new Map<string, number>();
  return rows.map((row) => {
    if ('problems' in row) return row;
    const subject = subjectOf(row.output);
    const first = firstLines.get(subject);
    if (first !== undefined) {
      return wrongRow(row.line, `Line ${first} is about the same thing. Send only one of them.`);
    }
    firstLines.set(subject, row.line);
    return row;
  });
}
