import * as v from 'valibot';
import { anyText } from '../fields.ts';
import { jsonBody, reason } from './json-body.ts';
import { amount, validUntil } from './quota-change-body.ts';

const noAmount = 'Send time (seconds), space (kilobytes), or both.';

export const requestBody = jsonBody(
  v.pipe(
    v.object({ hpc: anyText, project_name: anyText, time: amount(1), space: amount(1), reason }),
    v.check(({ time, space }) => time !== undefined || space !== undefined, noAmount),
    v.transform(({ hpc, project_name: project, time = 0, space = 0, reason: why }) => {
      return { hpc, project, wanted: { seconds: time, kilobytes: space }, reason: why };
    }),
  ),
);

/** If the body names an amount, its time and space replace both requested amounts. */
export const approvalBody = (now: Date) =>
  jsonBody(
    v.pipe(
      v.object({ reason, time: amount(0), space: amount(0), valid_until: validUntil(now) }),
      v.check(
        ({ time, space }) => !isNothing(time, space),
        'Nothing would be granted. Send a time or a space above 0, or decline the request.',
      ),
      v.transform(({ reason: why, time, space, valid_until: end }) => ({
        reason: why,
        granted:
          time === undefined && space === undefined
            ? undefined
            : { seconds: time ?? 0, kilobytes: space ?? 0 },
        validUntil: end,
      })),
    ),
  );

function isNothing(time: number | undefined, space: number | undefined): boolean {
  return (time !== undefined || space !== undefined) && !time && !space;
}
