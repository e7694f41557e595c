import * as v from 'valibot';
import { InvalidRequestError } from '../../errors.ts';
import { anyText, checkAt, flag, idempotencyKey, rowUser } from '../fields.ts';
import { reason } from './json-body.ts';
import {
  atLeastOne,
  changeFields,
  changesSomething,
  isEither,
  onlyOne,
  toChange,
} from './quota-change-body.ts';
import { type Row, refuseRepeated, rowsBody } from './rows-body.ts';

/** Many grants at once: whether to only judge them, and the reason for rows without their own. */
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

const grantRow = (now: Date) => {
  const { reason, set, add, valid_until, renews } = changeFields(now).entries;
  return v.pipe(
    v.object({
      user_id: rowUser,
      hpc: anyText,
      project_name: anyText,
      reason: v.optional(reason),
      set: v.optional(v.pipe(v.unknown(), v.transform(readNumbers), set)),
      add: v.optional(v.pipe(v.unknown(), v.transform(readNumbers), add)),
      valid_until: v.optional(v.pipe(v.unknown(), v.transform(readNull), valid_until)),
      renews: v.optional(v.pipe(v.unknown(), v.transform(readNull), renews)),
    }),
    checkAt('set', (row) => isEither(row), onlyOne),
    checkAt('add', (row) => isEither(row), onlyOne),
    v.check((row) => changesSomething(row), atLeastOne),
    v.transform(({ user_id: user, hpc, project_name: project, reason, ...change }) => ({
      user,
      hpc,
      project,
      reason,
      change: toChange(change),
    })),
  );
};

/** Turns whole numbers into numbers, because every cell of a CSV file is text. */
function readNumbers(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  const entries = Object.entries(fields).map(([field, value]) => [
    field,
    typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function readNull(value: unknown): unknown {
  return value === 'null' ? null : value;
}

type Fields = v.InferOutput<ReturnType<typeof grantRow>>;

/** What the request says besides its rows. */
interface Beside {
  readonly key: string | undefined;
  readonly reason: string | undefined;
  readonly dryRun: boolean;
}

/**
 * Adds the reason of the request to rows without their own. Refuses a second row for the same quota,
 * because rows have no order. Refuses `add` without a key, because a retry would add again.
 */
export function completeGrants(
  rows: readonly Row<Fields>[],
  { key, reason, dryRun }: Beside,
): Row<Fields & { readonly reason: string }>[] {
  if (
    key === undefined &&
    !dryRun &&
    rows.some((row) => 'output' in row && row.output.change.amounts?.mode === 'add')
  )
    throw new InvalidRequestError([missingKey]);
  const single = refuseRepeated(rows, ({ user, hpc, project }) => `${user} ${hpc} ${project}`);
  return single.map((row) => {
    if ('problems' in row) return row;
    const why = row.output.reason ?? reason;
    if (why === undefined) return { line: row.line, problems: [missingReason] };
    return { line: row.line, output: { ...row.output, reason: why } };
  });
}

const missingKey = {
  location: 'header',
  name: 'Idempotency-Key',
  message:
    'It is required if rows use add. With a key you can retry the request, and each row counts once.',
} as const;

const missingReason = {
  location: 'body',
  name: 'reason',
  message: 'It is required: say why, in the row or for all rows with ?reason=...',
} as const;
