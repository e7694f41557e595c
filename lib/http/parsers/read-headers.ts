import * as v from 'valibot';
import type { FieldProblem } from '../errors.ts';
import type { FieldsSchema, RawRequest, Reading } from './reading.ts';

/** Headers through their schema; any others are none of our business. */
export function readHeaders<S extends FieldsSchema>(
  schema: S,
  { headers }: Pick<RawRequest, 'headers'>,
): Reading<v.InferOutput<S>> {
  const result = v.safeParse(schema, headers);
  if (result.success) return { output: result.output };
  return { problems: result.issues.map(locateIssue) };
}

/** A header that holds fields, as the Payload does, has its problems named by the field. */
function locateIssue({ path, message }: v.BaseIssue<unknown>): FieldProblem {
  const [header, field] = (path ?? []).map(({ key }) => String(key));
  if (field !== undefined) return { location: 'payload', name: field, message };
  return {
    location: 'header',
    name: header === undefined ? 'headers' : writeName(header),
    message,
  };
}

/** As the interface writes it: `Content-Disposition`. */
function writeName(header: string): string {
  return header.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
