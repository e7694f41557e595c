import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { mostGranted, type QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { type FieldProblem, InvalidRequestError } from '../errors.ts';
import { parseJsonBody } from './parse-json-body.ts';
import { reasonSchema } from './parse-reason.ts';
import { isMoment } from './query-fields.ts';
import { refuseQuery } from './read-query.ts';

const amount = (least: number) =>
  v.optional(
    v.pipe(
      v.number('A whole number is needed.'),
      v.integer('A whole number is needed.'),
      v.minValue(least, `At least ${least} is needed.`),
      v.maxValue(mostGranted, `At most ${mostGranted} is taken.`),
      // JSON knows -0, which is no amount.
      v.transform((number) => number + 0),
    ),
  );

const amounts = (least: number) =>
  v.optional(
    v.pipe(
      v.strictObject(
        { time: amount(least), space: amount(least) },
        'It holds time (seconds), space (kilobytes), or both.',
      ),
      v.check(
        ({ time, space }) => time !== undefined || space !== undefined,
        'It holds time (seconds), space (kilobytes), or both.',
      ),
      v.transform(({ time, space }) => ({ seconds: time, kilobytes: space })),
    ),
  );

const bodySchema = (now: Date) =>
  v.object({
    reason: reasonSchema,
    set: amounts(0),
    add: amounts(-mostGranted),
    valid_until: v.optional(
      v.nullable(
        v.pipe(
          v.string('It is a moment, or null.'),
          v.check(
            (text) => text.includes('T') && isMoment(text),
            'A moment with its zone (2027-01-31T08:00:00Z) is needed, or null.',
          ),
          v.transform((text) => new Date(text)),
          v.check((moment) => moment > now, 'It must lie ahead.'),
          v.check((moment) => moment.getUTCFullYear() < 10_000, 'It lies too far ahead.'),
        ),
      ),
    ),
  });

export interface QuotaChangeRequest {
  readonly change: QuotaChange;
  readonly reason: string;
}

/** Either what is granted or what is added to it, an end, or one of the first with an end. */
export function parseQuotaChange(
  event: APIGatewayProxyEventV2,
  now = new Date(),
): QuotaChangeRequest {
  refuseQuery(event);
  const { reason, set, add, valid_until: validUntil } = parseJsonBody(bodySchema(now), event);
  if (set && add) {
    throw new InvalidRequestError(
      (['set', 'add'] as const).map((name) => wrong(name, 'Only one of set and add is taken.')),
    );
  }
  if (!set && !add && validUntil === undefined) {
    throw new InvalidRequestError([wrong('body', 'set, add or valid_until is needed.')]);
  }
  const change = set ? { mode: 'set' as const, ...set } : add && { mode: 'add' as const, ...add };
  return { change: { amounts: change, validUntil }, reason };
}

function wrong(name: string, message: string): FieldProblem {
  return { location: 'body', name, message };
}
