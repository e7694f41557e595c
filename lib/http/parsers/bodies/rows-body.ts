import type * as v from 'valibot';
import { BodyTooLargeError, UnsupportedBodyError } from '../../errors.ts';
import {
  type BodyKind,
  decodeText,
  type FieldsSchema,
  parseJson,
  type RawRequest,
  type Reading,
  readBytes,
  readFields,
} from '../reading.ts';
import { mostFields, type RawRow, readCsv, wrongRow } from './csv.ts';
import { maxJsonBytes } from './json-body.ts';

/** One of many things in a body: its line, with its fields or everything that is wrong with it. */
export type Row<Fields> = { readonly line: number } & Reading<Fields>;

/** As many rows as one request has time for. */
export const maxRows = 1000;
export const maxRowsBytes = 1_000_000;

const forms: ReadonlyMap<string, ReadRows> = new Map([
  ['application/x-ndjson', readJsonLines],
  ['text/csv', readCsv],
]);

/** Reads a row when it is asked for, so that no more are read than one request may have. */
type ReadRows = (text: string) => IteratorObject<RawRow>;

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
      const rows = read(text)
        .take(maxRows + 1)
        .toArray();
      if (rows.length === 0) return refuse('It has no rows. Send at least one.');
      if (rows.length > maxRows) {
        return refuse(`It has more than ${maxRows} rows. Send at most ${maxRows} at once.`);
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

function chooseForm({ headers }: RawRequest): ReadRows {
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
function* readJsonLines(text: string): Generator<RawRow> {
  for (let [at, line] = [0, 1]; at < text.length; line += 1) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    const content = text.slice(at, end);
    if (content.trim() !== '') yield readLine(content, line);
    at = end + 1;
  }
}

function readLine(content: string, line: number): RawRow {
  if (content.length > maxJsonBytes) {
    return wrongRow(line, `It has more than ${maxJsonBytes} characters.`);
  }
  const value = parseJson(content);
  if (value === undefined) return wrongRow(line, 'It is not valid JSON.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return wrongRow(line, 'It must be a JSON object.');
  }
  const { length: fields } = Object.keys(value);
  if (fields > mostFields) {
    return wrongRow(line, `It has ${fields} fields, but at most ${mostFields} are allowed.`);
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
