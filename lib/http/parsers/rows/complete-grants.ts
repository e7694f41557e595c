import type * as v from 'valibot';
import { InvalidRequestError } from '../../errors.ts';
import type { grantRow } from './grant-row.ts';
import { refuseRepeated } from './refuse-repeated.ts';
import type { Row } from './row.ts';

type Fields = v.InferOutput<ReturnType<typeof grantRow>>;

/** What is sent beside the rows. */
interface Beside {
  readonly key: string | undefined;
  readonly reason: string | undefined;
  readonly dryRun: boolean;
}

/**
 * Rows with what stands beside them: the reason of those that have none of their own. Of rows for
 * the same quota only one can count, since they have no order. Without a key nothing is added: it
 * would be added again by whoever repeats the request.
 */
export function completeGrants(
  rows: readonly Row<Fields>[],
  { key, reason, dryRun }: Beside,
): Row<Fields & { readonly reason: string }>[] {
  if (key === undefined && !dryRun && rows.some(adds)) throw new InvalidRequestError([missingKey]);
  const single = refuseRepeated(rows, ({ user, hpc, project }) => `${user} ${hpc} ${project}`);
  return single.map((row) => {
    if ('problems' in row) return row;
    const why = row.output.reason ?? reason;
    if (why === undefined) return { line: row.line, problems: [missingReason] };
    return { line: row.line, output: { ...row.output, reason: why } };
  });
}

function adds(row: Row<Fields>): boolean {
  return 'output' in row && row.output.change.amounts?.mode === 'add';
}

const missingKey = {
  location: 'header',
  name: 'Idempotency-Key',
  message:
    'It is required where rows add: with it the same request can be sent again, and each row is done once.',
} as const;

const missingReason = {
  location: 'body',
  name: 'reason',
  message: 'It is required: say why, in the row or for all rows with ?reason=...',
} as const;
