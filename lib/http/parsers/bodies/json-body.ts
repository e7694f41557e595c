import type * as v from 'valibot';
import { BodyTooLargeError, UnsupportedBodyError } from '../../errors.ts';
import { readBytes } from '../read-bytes.ts';
import { readFields } from '../read-fields.ts';
import type { BodyKind, FieldsSchema, RawRequest, Reading } from '../reading.ts';

/** Several times what any of these bodies needs. */
export const maxJsonBytes = 16_384;

/** All of it is there at once, and nothing is waited for. */
export interface JsonBody<Output> extends BodyKind<Output> {
  read(request: RawRequest): Reading<Output>;
}

/** A JSON object of these fields. */
export function jsonBody<S extends FieldsSchema>(schema: S): JsonBody<v.InferOutput<S>> {
  return {
    forms: { contents: { 'application/json': schema }, required: true },
    read: (request) => {
      const reading = readObject(request);
      return 'problems' in reading
        ? reading
        : readFields(schema, reading.output, {
            location: 'body',
            explainUnknown: (known) => `Unknown field. Known fields: ${known.join(', ')}.`,
          });
    },
  };
}

function readObject(request: RawRequest): Reading<object> {
  refuseOtherTypes(request.headers['content-type']);
  const bytes = readBytes(request);
  if (bytes.length > maxJsonBytes) {
    throw new BodyTooLargeError(bytes.length, maxJsonBytes, 'Send a shorter one.');
  }
  const value = readJson(bytes);
  if (value === undefined) return refuse('It is not valid JSON.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('It must be a JSON object.');
  }
  return { output: value };
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** No type at all is taken for JSON; a form, which curl makes of `-d`, is not. */
function refuseOtherTypes(contentType = ''): void {
  if (/^(application\/json\s*(;.*)?)?$/i.test(contentType.trim())) return;
  throw new UnsupportedBodyError(contentType, "Send JSON, with 'Content-Type: application/json'.");
}

function refuse(message: string): Reading<never> {
  return { problems: [{ location: 'body', name: 'body', message }] };
}
