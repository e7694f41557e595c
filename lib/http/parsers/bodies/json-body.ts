import * as v from 'valibot';
import { BodyTooLargeError, UnsupportedBodyError } from '../../errors.ts';
import { flag, plainText } from '../fields.ts';
import {
  type BodyKind,
  decodeText,
  type FieldsSchema,
  parseJson,
  type RawRequest,
  type Reading,
  readBytes,
  readFields,
  readKnownFields,
} from '../reading.ts';

/** Several times what any of these bodies needs. */
export const maxJsonBytes = 16_384;

/** A JSON body, which is read without waiting. */
export interface JsonBody<Output> extends BodyKind<Output> {
  read(request: RawRequest): Reading<Output>;
}

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
  const value = parseJson(decodeText(bytes) ?? '');
  if (value === undefined) return refuse('It is not valid JSON.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('It must be a JSON object.');
  }
  return { output: value };
}

/** Accepts no type at all as JSON, but not a form, which is what `curl -d` sends by default. */
function refuseOtherTypes(contentType = ''): void {
  if (/^(application\/json\s*(;.*)?)?$/i.test(contentType.trim())) return;
  throw new UnsupportedBodyError(contentType, "Send JSON, with 'Content-Type: application/json'.");
}

function refuse(message: string): Reading<never> {
  return { problems: [{ location: 'body', name: 'body', message }] };
}

const maxReasonLength = 500;

/** Why an administrator does something. It is kept forever, and other people read it. */
export const reason = v.pipe(
  plainText(maxReasonLength),
  v.minLength(1, 'It must not be empty: say why.'),
);

const reasonFields = v.object({ reason });

export const reasonBody = jsonBody(reasonFields);

const fromAnywhere: BodyKind<v.InferOutput<typeof reasonFields>> = {
  forms: { contents: { 'application/json': reasonFields }, required: false },
  read: (request) => {
    const inQuery = new URLSearchParams(request.rawQueryString).get('reason');
    if (inQuery === null) {
      return request.body
        ? reasonBody.read(request)
        : refuseReason('It is required: say why, with ?reason=... or with JSON in the body.');
    }
    return request.body
      ? refuseReason('It is given twice, here and in the body. Send only one.')
      : readKnownFields(reasonFields, { reason: inQuery }, 'query');
  },
};

/**
 * Reads the reason of a DELETE from the query or from a JSON body, because some clients cannot send
 * a body with DELETE. The query schema only allows the parameter; the body reads both places.
 */
export const reasonAnywhere = {
  query: v.object({ reason: v.optional(v.string()) }),
  body: fromAnywhere,
};

/** Reads the reason, and whether to discard the jobs that block a removal. */
export const removal = {
  query: v.pipe(
    v.object({ ...reasonAnywhere.query.entries, with_jobs: flag }),
    v.transform(({ with_jobs: withJobs = false }) => ({ withJobs })),
  ),
  body: fromAnywhere,
};

function refuseReason(message: string): Reading<never> {
  return { problems: [{ location: 'query', name: 'reason', message }] };
}
