import * as v from 'valibot';
import { reason } from '../bodies/reason-body.ts';
import { flag } from '../queries/query-fields.ts';
import { idempotencyKey } from '../submission/submission-headers.ts';
import { grantRow } from './grant-row.ts';
import { rowsBody } from './rows-body.ts';

/** Many grants at once: whether they are only to be judged, and why, where rows do not say it. */
export const grantsRequest = {
  headers: v.pipe(
    v.object({ 'idempotency-key': v.optional(idempotencyKey) }),
    v.transform((headers) => ({ key: headers['idempotency-key'] })),
  ),
  query: v.pipe(
    v.object({ dry_run: flag, reason: v.optional(reason) }),
    v.transform(({ dry_run: dryRun = false, reason }) => ({ dryRun, reason })),
  ),
  body: () => rowsBody(grantRow(new Date())),
};
