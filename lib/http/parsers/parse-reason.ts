import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { InvalidRequestError } from '../errors.ts';
import { parseJsonBody } from './parse-json-body.ts';
import { readQuery } from './read-query.ts';

const maxReasonLength = 500;

/** Why an administrator does something: it is kept for good, and others read it. */
export const reasonSchema = v.pipe(
  v.string('It must be text.'),
  v.trim(),
  v.minLength(1, 'Say why: an administrator does nothing without a reason.'),
  v.check(
    (text) => [...text].length <= maxReasonLength,
    `At most ${maxReasonLength} characters are taken.`,
  ),
  v.check(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    'It must not hold control characters or broken Unicode.',
  ),
);

const reasonInBody = v.object({ reason: reasonSchema });
const reasonInQuery = v.object({ reason: v.optional(reasonSchema) });

/** The reason as JSON in the body, and nothing in the query. */
export function parseReasonBody(event: APIGatewayProxyEventV2): string {
  readQuery(v.object({}), event);
  return parseJsonBody(reasonInBody, event).reason;
}

/** For DELETE, of which some clients send no body: in the query, or as JSON in the body. */
export function parseReason(event: APIGatewayProxyEventV2): string {
  const { reason } = readQuery(reasonInQuery, event);
  if (reason === undefined) return event.body ? parseJsonBody(reasonInBody, event).reason : miss();
  if (event.body) {
    const message = 'It is given twice, here and in the body.';
    throw new InvalidRequestError([{ location: 'query', name: 'reason', message }]);
  }
  return reason;
}

function miss(): never {
  const message = 'It is required: say why, as ?reason=... or as JSON in the body.';
  throw new InvalidRequestError([{ location: 'query', name: 'reason', message }]);
}
