import { DomainError } from '#lib/errors/domain-error.ts';
import { readHolds } from '#lib/jobs/read/read-holds.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { walkLedger } from '#lib/quotas/read-ledger.ts';
import { type AccountFacts, planRepair, type Repair } from '#lib/quotas/reconcile.ts';
import { type AccountKey, ledgerRange } from '#lib/table/keys.ts';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import type { Table } from '#lib/table/table.ts';

export type Verdict =
  | { readonly state: 'sound' }
  | { readonly state: 'absent' }
  | { readonly state: 'drifting'; readonly reading: AccountReading; readonly repair: Repair }
  /** It changed at every reading, so that nothing can be said of it this time. */
  | { readonly state: 'busy' }
  /** It has more jobs and lines than there was time to read. */
  | { readonly state: 'too-long' }
  /** Something of it cannot be read at all. */
  | { readonly state: 'damaged'; readonly reason: string };

/** Thrown into a reading that takes too long. */
export class OutOfTimeError extends DomainError {
  override readonly name = 'OutOfTimeError';
  constructor() {
    super('There was no time to read the whole account.');
  }
}

/** How often an account is read again that looks wrong. */
const rereadings = 3;

/**
 * Every change of an account writes a line, and no line ever goes. So where two readings in a row
 * found the same number of lines, nothing happened from the end of the first one until the second
 * one came to the ledger, and the second one is of one moment: only then is it called drift.
 */
export async function judgeAccount(
  table: Table,
  account: AccountKey,
  read: typeof readAccount = readAccount,
): Promise<Verdict> {
  try {
    let lines: number | undefined;
    for (let count = 0; count <= rereadings; count += 1) {
      const reading = await read(table, account);
      if (!reading) return { state: 'absent' };
      const repair = planRepair(reading);
      if (!repair) return { state: 'sound' };
      if (reading.lines === lines) return { state: 'drifting', reading, repair };
      lines = reading.lines;
    }
    return { state: 'busy' };
  } catch (error) {
    if (error instanceof OutOfTimeError) return { state: 'too-long' };
    if (error instanceof DamagedItemError) return { state: 'damaged', reason: error.message };
    throw error;
  }
}

/** One reading of an account. Its parts are read one after another, and not of one moment. */
export interface AccountReading extends AccountFacts {
  /** How many lines the ledger had at its end. */
  readonly lines: number;
}

/**
 * The quota, its jobs and its ledger, strongly consistent, and the ledger last: whatever changed
 * before has its line there. The cost grows with the user's jobs in the project and with the lines;
 * `checkTime` is called again and again, and may throw.
 */
export async function readAccount(
  table: Table,
  account: AccountKey,
  checkTime: () => void = () => undefined,
): Promise<AccountReading | undefined> {
  const quota = await readQuota(table, account);
  if (!quota) return undefined;
  const holds = await readHolds(table, account, checkTime);
  return { quota, holds, ...(await sumLedger(table, account, checkTime)) };
}

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
