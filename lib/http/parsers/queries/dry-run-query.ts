import * as v from 'valibot';
import { flag } from './query-fields.ts';

/** Whether a submission is only to be judged. A mistyped parameter must not make a job. */
export const dryRunQuery = v.pipe(
  v.object({ dry_run: flag }),
  v.transform(({ dry_run: dryRun = false }) => ({ dryRun })),
);
