import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { fillJobPage } from '#lib/http/presenters/fill-job-page.ts';
import { linkToPage } from '#lib/http/respond.ts';
import type { JobFilter, JobList } from '#lib/jobs/read/job-list.ts';
import { readJobs } from '#lib/jobs/read/read-jobs.ts';
import { openTable } from '#lib/table/table.ts';
import { apiEvent } from '#test/fixtures/api-event.ts';
import { hpcOne, jobItem, user } from '#test/fixtures/samples.ts';
import { mockTable, tableName } from '#test/fixtures/table-mock.ts';

const mock = mockTable();
const table = openTable(tableName);

beforeEach(() => mock.reset());

/** A list of jobs with these ids, from which each read takes so many and keeps those that match. */
function holdJobs(ids: readonly number[], perRead = 1000, matches = (_: number) => true) {
  mock.on(QueryCommand).callsFake((input: QueryCommand['input']) => {
    const bound = (name: string) => Number(input.ExpressionAttributeValues?.[name]);
    const ordered = input.ScanIndexForward ? ids : ids.toReversed();
    const inRange = ordered.filter((id) => id >= bound(':from') && id <= bound(':to'));
    const read = inRange.slice(0, Math.min(perRead, input.Limit ?? perRead));
    const last = read.at(-1);
    const goesOn = last !== undefined && read.length < inRange.length;
    return {
      Items: read.filter(matches).map((id) => jobItem(hpcOne, { id, title })),
      ...(goesOn && { LastEvaluatedKey: { jobs_by_id: jobItem(hpcOne, { id: last }).jobs_by_id } }),
    };
  });
}

let title = 'a job title';
beforeEach(() => {
  title = 'a job title';
});

interface Wanted {
  readonly list: JobList;
  readonly limit: number | undefined;
}

function request(limit?: number, filter: JobFilter = {}, order: 'asc' | 'desc' = 'asc'): Wanted {
  return { list: { owner: user, order, filter }, limit };
}

function fill({ list, limit }: Wanted, after?: number) {
  return fillJobPage((place, wanted) => readJobs(table, list, place, wanted), limit, after);
}

/** A page as the ids in it and where the list goes on. */
async function page(wanted: Wanted, after?: number) {
  const { body, next } = await fill(wanted, after);
  const jobs: { id: number }[] = JSON.parse(body);
  return { ids: jobs.map(({ id }) => id), next };
}

function idsTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

function limitsRead() {
  return mock.commandCalls(QueryCommand).map(({ args: [{ input }] }) => input.Limit);
}

describe('a page of jobs', () => {
  it('is the whole list where no limit is given', async () => {
    holdJobs(idsTo(10), 4);
    expect(await page(request())).toEqual({ ids: idsTo(10), next: undefined });
    expect(limitsRead()).toEqual([undefined, undefined, undefined]);
  });

  it('is an empty list of an empty table', async () => {
    holdJobs([]);
    expect(await page(request())).toEqual({ ids: [], next: undefined });
    expect(await page(request(5))).toEqual({ ids: [], next: undefined });
  });

  it('ends at the limit and says where it goes on', async () => {
    holdJobs(idsTo(10));
    expect(await page(request(4))).toEqual({ ids: [1, 2, 3, 4], next: 4 });
    expect(await page(request(4), 4)).toEqual({ ids: [5, 6, 7, 8], next: 8 });
    expect(await page(request(4), 8)).toEqual({ ids: [9, 10], next: undefined });
    expect(limitsRead()).toEqual([4, 4, 4]);
  });

  it('fills a page over several short reads', async () => {
    holdJobs(idsTo(10), 3);
    expect(await page(request(7))).toEqual({ ids: idsTo(7), next: 7 });
    expect(limitsRead()).toEqual([7, 4, 1]);
  });

  it('goes backwards', async () => {
    holdJobs(idsTo(5));
    expect(await page(request(3, {}, 'desc'))).toEqual({ ids: [5, 4, 3], next: 3 });
    expect(await page(request(3, {}, 'desc'), 3)).toEqual({ ids: [2, 1], next: undefined });
    expect(await page(request(3, {}, 'desc'), 1)).toEqual({ ids: [], next: undefined });
  });

  it('shows every job exactly once, whatever the limit', async () => {
    holdJobs([1, 2, 5, 80, 81, 82, 1000], 2);
    for (const limit of [1, 2, 3, 7, 100]) {
      const seen: number[] = [];
      let after: number | undefined;
      do {
        const { ids, next } = await page(request(limit), after);
        seen.push(...ids);
        after = next;
      } while (after !== undefined);
      expect(seen).toEqual([1, 2, 5, 80, 81, 82, 1000]);
    }
  });

  it('looks at 1,000 jobs per read where a filter is given, and goes on until it is full', async () => {
    holdJobs(idsTo(5000), 1000, (id) => id % 900 === 0);
    expect(await page(request(3, { failed: true }))).toEqual({
      ids: [900, 1800, 2700],
      next: 3000,
    });
    expect(limitsRead()).toEqual([1000, 1000, 1000]);
  });

  it('does not lose what a filtered read found beyond the limit', async () => {
    holdJobs(idsTo(10), 1000, (id) => id % 2 === 0);
    const filtered = request(2, { terminal: true });
    expect(await page(filtered)).toEqual({ ids: [2, 4], next: 4 });
    expect(await page(filtered, 4)).toEqual({ ids: [6, 8], next: 8 });
    expect(await page(filtered, 8)).toEqual({ ids: [10], next: undefined });
  });

  it('ends after 20 reads of a filter that matches nothing, and can be gone on with', async () => {
    holdJobs(idsTo(30_000), 1000, (id) => id === 25_000);
    const filtered = request(undefined, { titleContains: 'x' });
    expect(await page(filtered)).toEqual({ ids: [], next: 20_000 });
    expect(limitsRead()).toHaveLength(20);
    expect(await page(filtered, 20_000)).toEqual({ ids: [25_000], next: undefined });
  });

  it('ends before the answer is more than Lambda carries, and loses nothing', async () => {
    title = '"\\é'.repeat(66);
    holdJobs(idsTo(9000));
    const { body, next } = await fill(request());
    const jobs: { id: number }[] = JSON.parse(body);
    expect(Buffer.byteLength(JSON.stringify({ body }))).toBeLessThan(6_000_000);
    expect(Buffer.byteLength(JSON.stringify({ body }))).toBeGreaterThan(4_000_000);
    expect(next).toBe(jobs.at(-1)?.id);
    expect((await page(request(1), next)).ids).toEqual([(next ?? 0) + 1]);
  });

  it('is no shorter for letters, which need no escapes', async () => {
    title = 'x'.repeat(200);
    holdJobs(idsTo(9000), 9000);
    const { body, next } = await fill(request());
    expect(next).toBeDefined();
    expect(Buffer.byteLength(body)).toBeGreaterThan(4_000_000);
  });
});

describe('the link to the next page', () => {
  it('is none where the list ends', () => {
    expect(linkToPage(apiEvent({ path: '/jobs/' }), undefined)).toEqual({});
  });

  it('is the same address with the cursor of the next page', () => {
    const query = 'limit=4&title=a+b&cursor=old';
    const event = apiEvent({ path: '/jobs/hpc_one/', query });
    expect(linkToPage(event, '28.new')).toEqual({
      link: '<https://slipway.test/jobs/hpc_one/?limit=4&title=a+b&cursor=28.new>; rel="next"',
    });
  });

  it('keeps the scheme that the client used', () => {
    const event = apiEvent({ path: '/jobs/', headers: { 'x-forwarded-proto': 'http' } });
    const { link } = linkToPage(event, '1.x');
    expect(link).toMatch(/^<http:\/\/slipway\.test\/jobs\/\?cursor=/);
  });
});
