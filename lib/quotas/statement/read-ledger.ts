import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { TableBusyError } from '#lib/table/errors.ts';
import { type AccountKey, ledgerRange } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { LedgerTooLongError, QuotaNotFoundError } from '../errors.ts';
import type { Amount, Quota } from '../quota.ts';
import { readQuota } from '../quota-store.ts';
import { type BalancedLine, balanceLines } from './balance-lines.ts';
import type { StoredLine } from './stored-line.ts';
import { addUp, nothing, subtract } from './sum-lines.ts';
import { type LedgerRange, type Walk, walkLedger } from './walk-ledger.ts';

/** Which lines of which ledger; both moments included. */
export interface LedgerList extends AccountKey {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

/** A place in a ledger: the line behind which it goes on, and what was left before that line. */
export interface LedgerPosition {
  readonly key: string;
  readonly left: Amount;
}

export interface LedgerPage {
  readonly lines: readonly BalancedLine[];
  readonly next: LedgerPosition | undefined;
}

/** What a request may walk through: lines after the end of the period, and lines to be summed. */
export const walkLimits = { newer: 20_000, summed: 10_000 } as const;

/** How often an account may change while it is read, before the caller is asked to come again. */
const maxTries = 8;

/**
 * One page, the newest lines first. Lines and account must be of one moment, so the account is
 * read before and after them; a later page goes on with the balance that its cursor carries.
 */
export async function readLedgerPage(
  table: Table,
  list: LedgerList,
  limit: number,
  after?: LedgerPosition,
): Promise<LedgerPage> {
  const range = ledgerRange(list.since, list.until);
  const read = (walk: Walk) => takeLines(table, list, range, limit + 1, walk);
  if (after) return cutPage(await read({ after: after.key }), limit, after.left);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const quota = await readQuota(table, list);
    const newer = list.until ? await sumNewer(table, list, range) : nothing;
    const lines = await read({});
    if (isDeepStrictEqual(quota, await readQuota(table, list))) {
      if (!quota && lines.length === 0) throw new QuotaNotFoundError(list);
      return cutPage(lines, limit, subtract(leftOf(quota), newer));
    }
    await sleep(Math.random() * Math.min(200, 20 * 2 ** tries));
  }
  throw new TableBusyError();
}

/** All lines of a period, to be summed up. */
export async function readPeriod(table: Table, list: LedgerList): Promise<StoredLine[]> {
  const range = ledgerRange(list.since, list.until);
  const lines = await takeLines(table, list, range, walkLimits.summed + 1);
  if (lines.length > walkLimits.summed) throw new LedgerTooLongError('period', walkLimits.summed);
  if (lines.length === 0 && !(await readQuota(table, list))) throw new QuotaNotFoundError(list);
  return lines;
}

/** An account that was removed has nothing left, and its ledger stays. */
function leftOf(quota: Quota | undefined): Amount {
  return quota ? { seconds: quota.time.left, kilobytes: quota.space.left } : nothing;
}

async function sumNewer(table: Table, list: LedgerList, { to }: LedgerRange): Promise<Amount> {
  const newer = { from: to, to: ledgerRange().to };
  const lines = await takeLines(table, list, newer, walkLimits.newer + 1);
  if (lines.length > walkLimits.newer) throw new LedgerTooLongError('newer', walkLimits.newer);
  return addUp(lines);
}

async function takeLines(
  table: Table,
  account: AccountKey,
  range: LedgerRange,
  wanted: number,
  walk: Walk = {},
): Promise<StoredLine[]> {
  const lines: StoredLine[] = [];
  for await (const line of walkLedger(table, account, range, { wanted, ...walk })) {
    lines.push(line);
    if (lines.length === wanted) break;
  }
  return lines;
}

/** One line more than the page was read: where there is one, the ledger goes on. */
function cutPage(read: readonly StoredLine[], limit: number, left: Amount): LedgerPage {
  const lines = balanceLines(read.slice(0, limit), left);
  const oldest = lines.at(-1);
  if (!oldest || read.length <= limit) return { lines, next: undefined };
  return { lines, next: { key: oldest.key, left: subtract(oldest.left, oldest) } };
}
