import type * as v from 'valibot';
import { BodyTooLargeError, UnsupportedBodyError } from '../../errors.ts';
import { readBytes } from '../read-bytes.ts';
import { readFields } from '../read-fields.ts';
import type { BodyKind, FieldsSchema, RawRequest, Reading } from '../reading.ts';
import { readCsv } from './csv.ts';
import { readJsonLines } from './json-lines.ts';
import type { RawRow, Row } from './row.ts';

/** What one request has the time for. */
export const maxRows = 1000;
export const maxRowsBytes = 1_000_000;

/** The forms that rows come in, by their content type. */
const forms: ReadonlyMap<string, (text: string) => RawRow[]> = new Map([
  ['application/x-ndjson', readJsonLines],
  ['text/csv', readCsv],
]);

/** All of it is there at once, and nothing is waited for. */
export interface RowsBody<Fields> extends BodyKind<readonly Row<Fields>[]> {
  read(request: RawRequest): Reading<readonly Row<Fields>[]>;
}

/**
 * Many things of the same fields, one on a line. What is wrong with a row is said of that row: the
 * others are not held up by it. Only a body that is no list of rows at all is refused as a whole.
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

/** A mark of the byte order at the beginning, as some editors write it, is left out. */
function readText(request: RawRequest): string | undefined {
  const bytes = readBytes(request);
  if (bytes.length > maxRowsBytes) {
    throw new BodyTooLargeError(bytes.length, maxRowsBytes, 'Send the rows in several requests.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function refuse(message: string): Reading<never> {
  return { problems: [{ location: 'body', name: 'body', message }] };
}
