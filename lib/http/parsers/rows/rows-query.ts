import * as v from 'valibot';
import { reason } from '../bodies/reason-body.ts';
import { flag } from '../queries/query-fields.ts';

/** Why an administrator sends rows, and whether they are only to be judged. */
export const rowsQuery = v.pipe(
  v.object({ dry_run: flag, reason }),
  v.transform(({ dry_run: dryRun = false, reason }) => ({ dryRun, reason })),
);
