import { firstId, idOfIndexKey, jobListRange, lastId, userPartition } from '#lib/table/keys.ts';
import { queryPage } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { type Job, jobFromItem } from '../job.ts';
import { type AllJobsList, isFiltered, type JobFilter, type JobList } from './job-list.ts';

/** The jobs of one read of a list, and the id after which the next read continues. */
export interface JobRun {
  readonly jobs: readonly Job[];
  readonly resumeAfter: number | undefined;
}

/** The index and range that hold the jobs of a list. */
interface JobSource {
  readonly partition: { readonly condition: string; readonly values: Record<string, string> };
  readonly range: Parameters<typeof jobListRange>[0];
  /** Replaces the range's own local index. A global index lags a moment behind. */
  readonly globalIndex?: string;
}

/**
 * Items that one read of a filtered list scans. Items are filtered after reading, so all of them
 * cost.
 */
const filteredReadSize = 1000;

/** Reads one run of a caller's list, strongly consistent. */
export async function readJobs(
  table: Table,
  list: JobList,
  after?: number,
  limit?: number,
): Promise<JobRun> {
  const partition = { condition: 'PK = :user', values: { ':user': userPartition(list.owner) } };
  return readRun(table, { partition, range: list }, list, after, limit);
}

/**
 * Reads one run of a list, at the cost of the items it scans. A position is a job id rather than a
 * DynamoDB key, so a reader may stop after any job and continue there later.
 */
export async function readRun(
  table: Table,
  { partition, range, globalIndex }: JobSource,
  { order, filter, ids }: AllJobsList,
  after?: number,
  limit?: number,
): Promise<JobRun> {
  const { first, last } = idsBehind(order, ids, after);
  if (first > last) return { jobs: [], resumeAfter: undefined };
  const { index, from, to } = jobListRange(range, first, last);
  const { expression, names, values } = filterExpression(filter);
  const { Items, LastEvaluatedKey } = await queryPage(table, {
    IndexName: globalIndex ?? index,
    KeyConditionExpression: `${partition.condition} AND #index BETWEEN :from AND :to`,
    FilterExpression: expression,
    ExpressionAttributeNames: { '#index': index, ...names },
    ExpressionAttributeValues: {
      ...partition.values,
      ':from': from,
      ':to': to,
      ...values,
    },
    ...(globalIndex === undefined && { ConsistentRead: true }),
    ScanIndexForward: order === 'asc',
    Limit: isFiltered(filter) ? filteredReadSize : limit,
  });
  return { jobs: Items.map(jobFromItem), resumeAfter: idOfIndexKey(LastEvaluatedKey?.[index]) };
}

/** Returns the range of ids after a position, in the order of the list. */
function idsBehind(order: AllJobsList['order'], ids: AllJobsList['ids'], after?: number) {
  const { first, last } = ids ?? { first: firstId, last: lastId };
  return {
    first: order === 'asc' && after !== undefined ? after + 1 : first,
    last: order === 'desc' && after !== undefined ? after - 1 : last,
  };
}

function filterExpression(filter: JobFilter) {
  const { stage, terminal, failed, titleContains, since, until } = filter;
  const tests = [
    { name: 'stage', test: '#stage = :stage', as: ':stage', value: stage },
    { name: 'terminal', test: '#terminal = :terminal', as: ':terminal', value: terminal },
    { name: 'failed', test: '#failed = :failed', as: ':failed', value: failed },
    { name: 'title', test: 'contains(#title, :title)', as: ':title', value: titleContains },
    { name: 'init_date', test: '#init_date >= :since', as: ':since', value: since?.toISOString() },
    { name: 'init_date', test: '#init_date <= :until', as: ':until', value: until?.toISOString() },
  ].filter(({ value }) => value !== undefined);
  return {
    expression: tests.length > 0 ? tests.map(({ test }) => test).join(' AND ') : undefined,
    names: Object.fromEntries(tests.map(({ name }) => [`#${name}`, name])),
    values: Object.fromEntries(tests.map(({ as, value }) => [as, value])),
  };
}
