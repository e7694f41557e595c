import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { TableBusyError } from '#lib/table/errors.ts';
import { ledgerRange } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { LedgerTooLongError, QuotaNotFoundError } from '../errors.ts';
import type { Hold } from '../quota.ts';
import { type QuotaPlace, readQuota } from '../quota-store.ts';
import { welcomeUser } from '../welcome/welcome-user.ts';
import { type BalancedLine, balanceLines } from './balance-lines.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { addUp, nothing, subtract } from './sum-lines.ts';
import { type LedgerRange, type Walk, walkLedger } from './walk-ledger.ts';

/** Which lines of which ledger; both moments included. */
export interface LedgerList extends QuotaPlace {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

/** A place in a ledger: the line behind which it goes on, and what was left before that line. */
export interface LedgerPosition {
  readonly key: string;
  readonly left: Hold;
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
export async function readPeriod(table: Table, list: LedgerList): Promise<LedgerEntry[]> {
  const range = ledgerRange(list.since, list.until);
  const lines = await takeLines(table, list, range, walkLimits.summed + 1);
  if (lines.length > walkLimits.summed) throw new LedgerTooLongError('period', walkLimits.summed);
  if (lines.length === 0 && !(await readQuota(table, list))) throw new QuotaNotFoundError(list);
  return lines;
}

/** For a caller's own ledger: finding none may mean that this is the first contact. */
export async function welcomeAndRead<Found>(
  table: Table,
  catalog: Catalog,
  user: string,
  read: () => Promise<Found>,
): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof QuotaNotFoundError)) throw error;
    await welcomeUser(table, catalog, user);
    return read();
  }
}

/** An account that was removed has nothing left, and its ledger stays. */
function leftOf(quota: Awaited<ReturnType<typeof readQuota>>): Hold {
  return quota ? { seconds: quota.time.left, kilobytes: quota.space.left } : nothing;
}

async function sumNewer(table: Table, list: LedgerList, { to }: LedgerRange): Promise<Hold> {
  const newer = { from: to, to: ledgerRange().to };
  const lines = await takeLines(table, list, newer, walkLimits.newer + 1);
  if (lines.length > walkLimits.newer) throw new LedgerTooLongError('newer', walkLimits.newer);
  return addUp(lines);
}

async function takeLines(
  table: Table,
  place: QuotaPlace,
  range: LedgerRange,
  wanted: number,
  walk: Walk = {},
): Promise<LedgerEntry[]> {
  const lines: LedgerEntry[] = [];
  for await (const line of walkLedger(table, place, range, { wanted, ...walk })) {
    lines.push(line);
    if (lines.length === wanted) break;
  }
  return lines;
}

/** One line more than the page was read: where there is one, the ledger goes on. */
function cutPage(read: readonly LedgerEntry[], limit: number, left: Hold): LedgerPage {
  const lines = balanceLines(read.slice(0, limit), left);
  const oldest = lines.at(-1);
  if (!oldest || read.length <= limit) return { lines, next: undefined };
  return { lines, next: { key: oldest.key, left: subtract(oldest.left, oldest) } };
}
