import { readBatchHolds } from '#lib/batches/batch-store.ts';
import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import { addHolds, readHolds } from '#lib/jobs/read/read-holds.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { walkLedger } from '#lib/quotas/read-ledger.ts';
import {
  type AccountFacts,
  type JobHolds,
  planRepair,
  type Repair,
} from '#lib/quotas/reconcile.ts';
import { type AccountKey, ledgerRange, quotaRegistry } from '#lib/table/keys.ts';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import { readRegistry } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';

export type Verdict =
  | { readonly state: 'sound' }
  | { readonly state: 'absent' }
  | { readonly state: 'drifting'; readonly reading: AccountReading; readonly repair: Repair }
  /** The account changed between all readings, so nothing can be said about it this time. */
  | { readonly state: 'busy' }
  /** The account has more jobs and lines than there was time to read. */
  | { readonly state: 'too-long' }
  /** A part of the account cannot be read. */
  | { readonly state: 'damaged'; readonly reason: string };

/** Thrown when reading an account takes too long. */
export class OutOfTimeError extends DomainError {
  override readonly name = 'OutOfTimeError';
  constructor() {
    super('There was no time to read the whole account.');
  }
}

/** How often an account that looks wrong is read again. */
const rereadings = 3;

/**
 * Checks an account. Every change writes a ledger line, and lines are never removed; only a batch
 * that creates jobs counts them itself. If two readings in a row find the same number of changes,
 * the second one is consistent, because nothing changed after the first one. Only then is a
 * difference reported as drift.
 */
export async function judgeAccount(
  table: Table,
  account: AccountKey,
  read: typeof readAccount = readAccount,
): Promise<Verdict> {
  try {
    let changes: number | undefined;
    for (let count = 0; count <= rereadings; count += 1) {
      const reading = await read(table, account);
      if (!reading) return { state: 'absent' };
      const repair = planRepair(reading);
      if (!repair) return { state: 'sound' };
      if (reading.changes === changes) return { state: 'drifting', reading, repair };
      changes = reading.changes;
    }
    return { state: 'busy' };
  } catch (error) {
    if (error instanceof OutOfTimeError) return { state: 'too-long' };
    if (error instanceof DamagedItemError) return { state: 'damaged', reason: error.message };
    throw error;
  }
}

/**
 * One reading of an account. Its parts are read in sequence, so they may be from different moments.
 */
export interface AccountReading extends AccountFacts {
  /** Grows with every change: lines of the ledger, and jobs that batches created. */
  readonly changes: number;
}

/**
 * Reads a quota, then its jobs, its batches and its ledger, all strongly consistent. The ledger comes
 * last, so it has a line for every earlier change. Batches come after the jobs that they create, for
 * the same reason. The cost grows with the jobs and the lines. `checkTime` is called often and may
 * throw.
 */
export async function readAccount(
  table: Table,
  account: AccountKey,
  checkTime: () => void = () => undefined,
): Promise<AccountReading | undefined> {
  const quota = await readQuota(table, account);
  if (!quota) return undefined;
  const { holds, unfolded } =
    account.user === budgetHolder
      ? await readDraws(table, account, checkTime)
      : await readAllHolds(table, account, checkTime, 'quota');
  const { ledger, lines } = await sumLedger(table, account, checkTime);
  // A member's draws write no line into the own ledger.
  return { quota, holds, ledger, changes: lines + unfolded + (quota.drawn?.changes ?? 0) };
}

interface AllHolds {
  readonly holds: JobHolds;
  readonly unfolded: number;
}

async function readAllHolds(
  table: Table,
  account: AccountKey,
  checkTime: () => void,
  of: 'quota' | 'budget',
): Promise<AllHolds> {
  const jobs = await readHolds(table, account, checkTime, of);
  const { unfolded, ...batches } = await readBatchHolds(table, account, checkTime, of);
  return { holds: addHolds(jobs, batches), unfolded };
}

/**
 * Adds up what the jobs of all members draw from a budget. Nobody stops being a member while their
 * jobs hold something of it.
 */
async function readDraws(
  table: Table,
  { user: _, ...project }: AccountKey,
  checkTime: () => void,
): Promise<AllHolds> {
  let all: AllHolds = { holds: { seconds: 0, kilobytes: 0, activeJobs: 0 }, unfolded: 0 };
  let after: UserId | undefined;
  do {
    const { users, goesOn } = await readRegistry(
      table,
      quotaRegistry(project),
      membersAtOnce,
      after,
    );
    for (const user of users) {
      const own = await readAllHolds(table, { user, ...project }, checkTime, 'budget');
      all = { holds: addHolds(all.holds, own.holds), unfolded: all.unfolded + own.unfolded };
    }
    after = goesOn ? users.at(-1) : undefined;
  } while (after !== undefined);
  return all;
}

const membersAtOnce = 100;

async function sumLedger(table: Table, account: AccountKey, checkTime: () => void) {
  let [seconds, kilobytes, lines] = [0, 0, 0];
  for await (const line of walkLedger(table, account, ledgerRange())) {
    checkTime();
    seconds += line.seconds;
    kilobytes += line.kilobytes;
    lines += 1;
  }
  return { ledger: { seconds, kilobytes }, lines };
}
