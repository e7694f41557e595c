import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { TableBusyError } from '#lib/table/errors.ts';
import { type AccountKey, ledgerPartition, ledgerRange } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/page.ts';
import { queryPages, selectRange } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { LedgerTooLongError, QuotaNotFoundError } from './errors.ts';
import { lineFromItem, type StoredLine } from './ledger.ts';
import { type Amount, addUp, nothing, type Quota, subtract } from './quota.ts';
import { readQuota } from './quota-store.ts';

/** The lines of one account in a period, both moments included. */
export interface LedgerList extends AccountKey {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

/** The last line of a page, and the balance before that line. The next page continues from it. */
export interface LedgerPosition {
  readonly key: string;
  readonly left: Amount;
}

type LedgerPage = Page<BalancedLine, LedgerPosition>;

/** The most lines a request reads: newer than the period, and within a period to be summed. */
const walkLimits = { newer: 20_000, summed: 10_000 } as const;

/** How often an account may change while it is read before the caller is asked to retry. */
const maxTries = 8;

/**
 * Reads one page, newest lines first. Later pages start from the balance in their cursor.
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
  const { quota, found } = await readWithQuota(table, list, async () => ({
    newer: list.until ? await sumNewer(table, list, range) : nothing,
    lines: await read({}),
  }));
  if (!quota && found.lines.length === 0) throw new QuotaNotFoundError(list);
  return cutPage(found.lines, limit, subtract(leftOf(quota), found.newer));
}

/** Reads the lines since a moment, at most one more than `most`, and what is left after them. */
export async function readSince(
  table: Table,
  account: AccountKey,
  since: Date,
  most: number,
): Promise<{ readonly lines: readonly StoredLine[]; readonly left: Amount }> {
  const read = () => takeLines(table, account, ledgerRange(since), most + 1);
  const { quota, found } = await readWithQuota(table, account, read);
  return { lines: found, left: leftOf(quota) };
}

/** Reads the lines of a period, both moments included, at most one more than `most`. */
export function readBetween(
  table: Table,
  account: AccountKey,
  { since, until }: { readonly since: Date; readonly until: Date },
  most: number,
): Promise<StoredLine[]> {
  return takeLines(table, account, ledgerRange(since, until), most + 1);
}

/**
 * Lines and balance must be from the same moment, so the quota is read before and after the lines.
 */
async function readWithQuota<Found>(
  table: Table,
  account: AccountKey,
  read: () => Promise<Found>,
): Promise<{ readonly quota: Quota | undefined; readonly found: Found }> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const quota = await readQuota(table, account);
    const found = await read();
    if (isDeepStrictEqual(quota, await readQuota(table, account))) return { quota, found };
    await sleep(Math.random() * Math.min(200, 20 * 2 ** tries));
  }
  throw new TableBusyError();
}

/** Reads all lines of a period, to be summed. */
export async function readPeriod(table: Table, list: LedgerList): Promise<StoredLine[]> {
  const range = ledgerRange(list.since, list.until);
  const lines = await takeLines(table, list, range, walkLimits.summed + 1);
  if (lines.length > walkLimits.summed) throw new LedgerTooLongError('period', walkLimits.summed);
  if (lines.length === 0 && !(await readQuota(table, list))) throw new QuotaNotFoundError(list);
  return lines;
}

/** The ledger of a removed quota stays, with nothing left. */
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

/** Expects one line more than fits if the ledger continues after the page. */
function cutPage(read: readonly StoredLine[], limit: number, left: Amount): LedgerPage {
  const entries = balanceLines(read.slice(0, limit), left);
  const oldest = entries.at(-1);
  if (!oldest || read.length <= limit) return { entries, next: undefined };
  return { entries, next: { key: oldest.key, left: subtract(oldest.left, oldest) } };
}

export interface BalancedLine extends StoredLine {
  readonly left: Amount;
}

/**
 * Computes the balance after each line, from the newest to the oldest. Lines do not store it,
 * because a transaction cannot know it. The sum of all lines is the current balance.
 */
export function balanceLines(lines: readonly StoredLine[], leftNow: Amount): BalancedLine[] {
  let left = leftNow;
  return lines.map((line) => {
    const balanced = { ...line, left };
    left = subtract(left, line);
    return balanced;
  });
}

interface LedgerRange {
  readonly from: string;
  readonly to: string;
}

interface Walk {
  /** The sort key of the line to continue after. */
  readonly after?: string | undefined;
  /** How many lines the caller needs, if known. A query reads no more than that at once. */
  readonly wanted?: number;
}

/** Yields the lines of a ledger, newest first. Pages that are not consumed are not read. */
export async function* walkLedger(
  table: Table,
  account: AccountKey,
  { from, to }: LedgerRange,
  { after, wanted }: Walk = {},
): AsyncGenerator<StoredLine> {
  if (from > to) return;
  const ledger = ledgerPartition(account);
  const query = {
    ...selectRange(ledger, { from, to }),
    ScanIndexForward: false,
    Limit: wanted,
    ExclusiveStartKey: after === undefined ? undefined : { PK: ledger, SK: after },
  };
  for await (const lines of queryPages(table, query, lineFromItem)) yield* lines;
}
