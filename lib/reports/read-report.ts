import type { UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import {
  behindPlace,
  dayRange,
  projectDaysPartition,
  projectMonthPartition,
  projectPlace,
  userDaysPartition,
  userMonthPartition,
  userPlace,
} from '#lib/table/keys.ts';
import type { Page } from '#lib/table/page.ts';
import { queryAll, queryPages, selectRange } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { isWholeMonths, listMonths, monthOf, type Period } from './period.ts';
import type { Dimension, Report, ReportRow, RowNames } from './report.ts';
import { type StoredSum, sumFromItem } from './usage-item.ts';
import { addUsage, noUsage } from './usage-sum.ts';

/** How many parties' days are read in parallel. */
const width = 16;

/** About how many sums one request reads, to stay within its time. */
const mostSums = 5_000;

/** Reads the report of one user in one go. The days of the period limit its length. */
export async function readUserReport(
  table: Table,
  report: Report & { readonly user: UserId },
): Promise<ReportRow[]> {
  const sums = await readDays(table, userDaysPartition(report.user), report.period);
  return groupSums(
    report.by,
    sums.filter((sum) => isAsked(report, sum)),
  );
}

/**
 * Reads the report of all users. By user or by project it comes in pages. A page holds all rows of
 * each user or project on it.
 */
export async function readReport(
  table: Table,
  report: Report,
  limit: number,
  after?: string,
): Promise<Page<ReportRow, string>> {
  const { user } = report;
  if (user !== undefined) {
    return { entries: await readUserReport(table, { ...report, user }), next: undefined };
  }
  return isPaged(report)
    ? readPage(table, report, limit, after)
    : { entries: await readWhole(table, report), next: undefined };
}

function isPaged({ by }: Report): boolean {
  return by.includes('user') || by.includes('project');
}

async function readPage(
  table: Table,
  report: Report,
  limit: number,
  after: string | undefined,
): Promise<Page<ReportRow, string>> {
  const rows: ReportRow[] = [];
  let read = 0;
  let last = after;
  for await (const parties of listInChunks(openParties(table, report, limit + 1, after))) {
    const sums = await mapInParallel(parties, width, (party) => readParty(table, report, party));
    for (const [index, { place }] of parties.entries()) {
      if (rows.length >= limit || read >= mostSums) return { entries: rows, next: last };
      const own = sums[index] ?? [];
      rows.push(...groupSums(report.by, own));
      read += Math.max(1, own.length);
      last = place;
    }
  }
  return { entries: rows, next: undefined };
}

async function readWhole(table: Table, report: Report): Promise<ReportRow[]> {
  const all: StoredSum[] = [];
  for await (const parties of listInChunks(openParties(table, report))) {
    const sums = await mapInParallel(parties, width, (party) => readParty(table, report, party));
    all.push(...sums.flat());
  }
  return groupSums(report.by, all);
}

/** Lists everybody with usage in one of the period's months. */
function openParties(
  table: Table,
  { by, period }: Report,
  pageSize?: number,
  after?: string,
): AsyncGenerator<Party> {
  const partitionOf = by.includes('user') ? userMonthPartition : projectMonthPartition;
  const months = listMonths(period).map((month) =>
    walkMonth(table, partitionOf(month), after, pageSize),
  );
  return walkParties(months, ({ user, ...project }) =>
    user === undefined ? projectPlace(project) : userPlace(user),
  );
}

/** Reads the sums of one party: by month where the period covers whole months, otherwise by day. */
async function readParty(table: Table, report: Report, { sums }: Party): Promise<StoredSum[]> {
  const asked = sums.filter((sum) => isAsked(report, sum));
  const [first] = asked;
  const { by, period } = report;
  if (!first || (isWholeMonths(period) && !by.includes('day'))) return asked;
  const { user } = first;
  const partition = user === undefined ? projectDaysPartition(first) : userDaysPartition(user);
  const days = await readDays(table, partition, period);
  return days.filter((sum) => isAsked(report, sum));
}

function isAsked({ hpc, project }: Report, sum: StoredSum): boolean {
  return (
    (hpc === undefined || sum.hpc === hpc) && (project === undefined || sum.project === project)
  );
}

async function* listInChunks(parties: AsyncGenerator<Party>): AsyncGenerator<Party[]> {
  let chunk: Party[] = [];
  for await (const party of parties) {
    chunk.push(party);
    if (chunk.length === width) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

/** Groups sums into rows, sorted by names and times. */
function groupSums(by: readonly Dimension[], sums: readonly StoredSum[]): ReportRow[] {
  const groups = Map.groupBy(sums, (sum) => writeNames(nameRow(by, sum)));
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) =>
      first === undefined
        ? []
        : [
            {
              names: nameRow(by, first),
              usage: [first, ...others].reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
            },
          ],
    );
}

function nameRow(by: readonly Dimension[], { user, hpc, project, time }: StoredSum): RowNames {
  const isBy = (dimension: Dimension) => by.includes(dimension);
  return {
    ...(isBy('user') && user !== undefined && { user }),
    ...((isBy('system') || isBy('project')) && { hpc }),
    ...(isBy('project') && { project }),
    ...(isBy('day') && { day: time }),
    ...(isBy('month') && { month: monthOf(time) }),
  };
}

/** Joins names with a space, which no name contains and which sorts before all their characters. */
function writeNames({ user, hpc, project, day, month }: RowNames): string {
  return [user, hpc, project, day, month].join(' ');
}

async function readDays(
  table: Table,
  partition: string,
  { since, until }: Period,
): Promise<StoredSum[]> {
  const days = selectRange(partition, dayRange(since, until));
  return queryAll(table, days, sumFromItem);
}

/**
 * Yields the sums of a month in the order of their places. Pages that are not consumed are not
 * read.
 */
async function* walkMonth(
  table: Table,
  partition: string,
  after: string | undefined,
  pageSize: number | undefined,
): AsyncGenerator<StoredSum> {
  const query = {
    KeyConditionExpression: `PK = :month${after === undefined ? '' : ' AND SK > :after'}`,
    ExpressionAttributeValues: {
      ':month': partition,
      ...(after !== undefined && { ':after': behindPlace(after) }),
    },
    ConsistentRead: true,
    Limit: pageSize,
  };
  for await (const sums of queryPages(table, query, sumFromItem)) yield* sums;
}

interface Party {
  /** The sort key. */
  readonly place: string;
  readonly sums: readonly StoredSum[];
}

/** Merges several months, each sorted by place, into one sorted list of parties. */
async function* walkParties(
  months: readonly AsyncGenerator<StoredSum>[],
  placeOf: (sum: StoredSum) => string,
): AsyncGenerator<Party> {
  const heads = await Promise.all(months.map((month) => takeNext(month)));
  for (;;) {
    const places = heads.flatMap((head) => (head ? [placeOf(head)] : []));
    const [place] = places.sort();
    if (place === undefined) return;
    const sums: StoredSum[] = [];
    for (const [index, month] of months.entries()) {
      for (let head = heads[index]; head && placeOf(head) === place; head = heads[index]) {
        sums.push(head);
        heads[index] = await takeNext(month);
      }
    }
    yield { place, sums };
  }
}

async function takeNext(month: AsyncGenerator<StoredSum>): Promise<StoredSum | undefined> {
  const next = await month.next();
  return next.done ? undefined : next.value;
}
