import * as v from 'valibot';
import { flag } from '../queries/query-fields.ts';
import { readKnownFields } from '../read-fields.ts';
import type { BodyKind, Reading } from '../reading.ts';
import { jsonBody } from './json-body.ts';
import { plainText } from './plain-text.ts';

const maxReasonLength = 500;

/** Why an administrator does something: it is kept for good, and others read it. */
export const reason = v.pipe(
  plainText(maxReasonLength),
  v.minLength(1, 'It must not be empty: say why.'),
);

const reasonFields = v.object({ reason });

/** The reason as JSON. */
export const reasonBody = jsonBody(reasonFields);

const fromAnywhere: BodyKind<v.InferOutput<typeof reasonFields>> = {
  forms: { contents: { 'application/json': reasonFields }, required: false },
  read: (request) => {
    const inQuery = new URLSearchParams(request.rawQueryString).get('reason');
    if (inQuery === null) {
      return request.body
        ? reasonBody.read(request)
        : refuse('It is required: say why, with ?reason=... or with JSON in the body.');
    }
    return request.body
      ? refuse('It is given twice, here and in the body. Send only one.')
      : readKnownFields(reasonFields, { reason: inQuery }, 'query');
  },
};

/**
 * For DELETE, of which some clients send no body: in the query, or as JSON in the body. The query
 * only says that a reason may be there; wherever it is, it is judged and handed on as the body.
 */
export const reasonAnywhere = {
  query: v.object({ reason: v.optional(v.string()) }),
  body: fromAnywhere,
};

/** The same, and whether the jobs that are in the way go too. */
export const removal = {
  query: v.pipe(
    v.object({ ...reasonAnywhere.query.entries, with_jobs: flag }),
    v.transform(({ with_jobs: withJobs = false }) => ({ withJobs })),
  ),
  body: fromAnywhere,
};

function refuse(message: string): Reading<never> {
  return { problems: [{ location: 'query', name: 'reason', message }] };
}
