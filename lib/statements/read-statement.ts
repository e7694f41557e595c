import { listAccounts } from '#lib/accounts/list-accounts.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { type Amount, addUp, nothing, subtract } from '#lib/quotas/quota.ts';
import { readBetween, readSince } from '#lib/quotas/read-ledger.ts';
import { dayOf, endOfMonth, firstDayOf, monthBefore, monthOf } from '#lib/reports/period.ts';
import { type ProjectKey, registryUser } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { StatementNotReadyError, StatementTooLongError } from './errors.ts';
import { type AccountMonth, drawUp, type StatementRow } from './statement.ts';
import { closeMonth, findClosedMonth, readFormerMembers, readRows } from './statement-store.ts';

export interface Statement {
  readonly project: Project;
  readonly month: string;
  /** The end of the month, or the moment of the request if that is earlier. */
  readonly until: Date;
  /** True once the statement does not change any more. */
  readonly closed: boolean;
  readonly rows: readonly StatementRow[];
}

/** How many ledger lines a request reads. */
const usualLimits = {
  /** The most in a month of a project. */
  inMonth: 100_000,
  /** After more than this, earlier months are left to the next request. */
  together: 30_000,
};

const width = 16;

/** A line may be written some minutes after its moment, so a month is not closed at once. */
const graceMs = 60 * 60 * 1000;

/** Returns the last month that is closed. */
export function lastClosedMonth(now: Date): string {
  return monthBefore(monthOf(dayOf(new Date(now.getTime() - graceMs))));
}

/** Reads the statement of a month. Only that of a month that is not closed is drawn up each time. */
export async function readStatement(
  table: Table,
  project: Project,
  month: string,
  now = new Date(),
  limits = usualLimits,
): Promise<Statement> {
  const key = { hpc: project.hpc, project: project.name };
  const stored = await findClosedMonth(table, key, month);
  const later = stored === undefined ? undefined : await readRows(table, key, stored);
  const rows =
    later && stored === month
      ? later
      : await goBack(table, project, { to: month, from: stored, later }, now, limits);
  const end = endOfMonth(month);
  return {
    project,
    month,
    until: end < now ? end : now,
    closed: isClosed(month, now),
    rows: rows.toSorted((a, b) => (placeOf(a.user) < placeOf(b.user) ? -1 : 1)),
  };
}

interface WayBack {
  readonly to: string;
  /** The first closed month after it, and its rows. Without one, the way begins now. */
  readonly from: string | undefined;
  readonly later: readonly StatementRow[] | undefined;
}

/**
 * Draws up a month from the ledgers. No line knows its balance, so the way goes back from a later
 * month, whose balances are known, and closes each month that it passes. A long way takes several
 * requests, each of which goes on where the one before has ended.
 */
async function goBack(
  table: Table,
  project: Project,
  { to, from, later }: WayBack,
  now: Date,
  limits: typeof usualLimits,
): Promise<readonly StatementRow[]> {
  const key = { hpc: project.hpc, project: project.name };
  const members = await listEverybody(table, project);
  let rows = later;
  let read = 0;
  for (
    let month = from === undefined ? monthOf(dayOf(now)) : monthBefore(from);
    read <= limits.together;
    month = monthBefore(month)
  ) {
    const accounts = await readMonth(table, key, month, {
      members,
      later: rows,
      room: limits.inMonth,
    });
    rows = drawUp(accounts);
    if (isClosed(month, now)) await closeMonth(table, key, month, rows);
    if (month <= to) return rows;
    read += accounts.reduce((sum, { lines }) => sum + 1 + lines.length, 0);
  }
  throw new StatementNotReadyError();
}

function isClosed(month: string, now: Date): boolean {
  return month <= lastClosedMonth(now);
}

/** Puts the budget first, then users by number. */
function placeOf(user: UserId): string {
  return user === budgetHolder ? '' : registryUser(user);
}

async function listEverybody(table: Table, project: Project): Promise<UserId[]> {
  const members: UserId[] = [];
  for await (const accounts of listAccounts(table, [project], 1000)) {
    members.push(...accounts.map(({ user }) => user));
  }
  const key = { hpc: project.hpc, project: project.name };
  return [...members, ...(await readFormerMembers(table, key))];
}

interface MonthReading {
  readonly members: readonly UserId[];
  /** The rows of the next month, unless this is the current one. */
  readonly later: readonly StatementRow[] | undefined;
  /** The most lines. */
  readonly room: number;
}

/**
 * Reads the ledgers of a month. The budget comes first, because it names members whom nothing else
 * names any more.
 */
async function readMonth(
  table: Table,
  project: ProjectKey,
  month: string,
  { members, later, room }: MonthReading,
): Promise<AccountMonth[]> {
  const openings = later && new Map(later.map(({ user, opening }) => [user, opening]));
  let left = room;
  const read = async (user: UserId) => {
    const account = await readAccount(table, { user, ...project }, month, openings, left);
    left -= account.lines.length;
    if (left < 0) throw new StatementTooLongError(month, room);
    return account;
  };
  const budget = await read(budgetHolder);
  const named = budget.lines.flatMap(({ member }) => (member === undefined ? [] : [member]));
  const users = new Set([...members, ...named, ...(openings?.keys() ?? [])]);
  users.delete(budgetHolder);
  return [budget, ...(await mapInParallel([...users], width, read, { stopAtFailure: true }))];
}

/** Without later openings the month is the current one, and ends with what is left now. */
async function readAccount(
  table: Table,
  account: ProjectKey & { readonly user: UserId },
  month: string,
  openings: ReadonlyMap<UserId, Amount> | undefined,
  most: number,
): Promise<AccountMonth> {
  const { user } = account;
  const since = new Date(firstDayOf(month));
  const end = endOfMonth(month);
  if (openings) {
    const until = new Date(end.getTime() - 1);
    const lines = await readBetween(table, account, { since, until }, most);
    return { user, lines, closing: openings.get(user) ?? nothing };
  }
  const { lines, left } = await readSince(table, account, since, most);
  // A clock that is ahead of ours may already write lines of the next month.
  const later = lines.filter(({ at }) => at >= end);
  return {
    user,
    lines: lines.filter(({ at }) => at < end),
    closing: subtract(left, addUp(later)),
  };
}
