import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../ask.ts';
import { badQueries, pathsWithoutQuery } from '../cases/bad-queries.ts';
import { readList, readPage, readPages } from '../lists.ts';
import { expectAscending, expectProblem, type Job } from '../shapes.ts';
import { makeJob } from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';

const listPaths = ['/jobs/', '/jobs/hpc_one/', '/jobs/hpc_one/proj_hpc_one_01/', '/jobs'] as const;

/** Interface 4.1 leaves paging open; design 2, Lists, decides it. */
export function pagingSuite(target: Target): void {
  describe('pages and filters', () => {
    /** In the titles of this run's jobs, and of no others. */
    const mark = `paging-${randomUUID()}`;
    let account: Account;
    let made: Job[];

    beforeAll(async () => {
      account = target.account();
      made = [];
      for (const [index, hpc] of (['one', 'two', 'one', 'two', 'one'] as const).entries()) {
        const fields = { title: `${mark} number ${index}`, runtime: '0.05' };
        made.push(await makeJob(target, account, { hpc: `hpc_${hpc}`, fields }));
      }
    });

    const below = (path: string) => made.filter((job) => belongs(job, path));

    it.each(listPaths)('4.1 GET %s in pages of 2 gives every job once, ascending', async (path) => {
      const pages = await readPages(target, account, `${path}?title=${mark}&limit=2`);
      for (const { jobs } of pages) expect(jobs.length).toBeLessThanOrEqual(2);
      const ids = pages.flatMap(({ jobs }) => jobs.map(({ id }) => id));
      expect(ids).toEqual(below(path).map(({ id }) => id));
      expect(pages.at(-1)?.next).toBeUndefined();
    });

    it.each(listPaths)('4.1 GET %s in pages of 1, descending', async (path) => {
      const pages = await readPages(target, account, `${path}?title=${mark}&limit=1&order=desc`);
      for (const { jobs } of pages) expect(jobs.length).toBeLessThanOrEqual(1);
      const ids = pages.flatMap(({ jobs }) => jobs.map(({ id }) => id));
      expect(ids).toEqual(
        below(path)
          .map(({ id }) => id)
          .reverse(),
      );
    });

    itNeeding(target, 'newcomer')('4.1 pages without a filter end too', async () => {
      for (const path of listPaths) {
        for (const limit of [1, 2, 4, 5, 1000]) {
          const jobs = await readList(target, account, `${path}?limit=${limit}`);
          expect(jobs.map(({ id }) => id)).toEqual(below(path).map(({ id }) => id));
        }
      }
    });

    it('4.1 order=desc begins with the newest', async () => {
      const newest = await makeJob(target, account, { fields: { title: 'the newest' } });
      const { jobs, next } = await readPage(target, account, '/jobs/?order=desc&limit=1');
      expect(jobs.map(({ id }) => id)).toEqual([newest.id]);
      const second = await readPage(target, account, next ?? '');
      expect(second.jobs.map(({ id }) => id)).toEqual([made.at(-1)?.id]);
    });

    it('4.1 order=asc is the order without it', async () => {
      const plain = await readPage(target, account, `/jobs/?title=${mark}`);
      const asc = await readPage(target, account, `/jobs/?title=${mark}&order=asc`);
      expect(asc.jobs.map(({ id }) => id)).toEqual(plain.jobs.map(({ id }) => id));
      expectAscending(plain.jobs.map(({ id }) => id));
    });

    it('4.1 Link keeps the address and the parameters', async () => {
      const path = `/jobs/hpc_one/?title=${mark}&limit=1&failed=false`;
      const { next = '' } = await readPage(target, account, path);
      const { pathname, searchParams } = new URL(next);
      expect(pathname).toMatch(/\/jobs\/hpc_one\/$/);
      expect(searchParams.get('cursor')).toBeTruthy();
      searchParams.delete('cursor');
      expect(`?${searchParams}`).toBe(`?title=${mark}&limit=1&failed=false`);
    });

    it('4.1 a job that is submitted between two pages is on a later one', async () => {
      const title = `between-${randomUUID()}`;
      const jobs = [];
      for (let count = 0; count < 2; count += 1) {
        jobs.push(await makeJob(target, account, { fields: { title } }));
      }
      const first = await readPage(target, account, `/jobs/?title=${title}&limit=1`);
      jobs.push(await makeJob(target, account, { fields: { title } }));
      const rest = await readList(target, account, first.next ?? '');
      expect([...first.jobs, ...rest].map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
    });

    const second = (job: Job | undefined, shift: number) =>
      new Date(Date.parse(job?.init_date ?? '') + shift * 1000).toISOString().slice(0, 19);

    /** The parameter, and which of all jobs it must leave. */
    const filters: readonly [string, () => string, (job: Job) => boolean][] = [
      ['stage=QUEUED', () => 'stage=QUEUED', ({ stage }) => stage === 'QUEUED'],
      ['stage=QUEUE', () => 'stage=QUEUE', ({ stage }) => stage === 'QUEUE'],
      ['stage=CANCELED', () => 'stage=CANCELED', ({ stage }) => stage === 'CANCELED'],
      ['terminal=false', () => 'terminal=false', (job) => !job.terminal_stage],
      ['terminal=true', () => 'terminal=true', (job) => job.terminal_stage],
      ['failed=false', () => 'failed=false', (job) => !job.failed],
      ['failed=true', () => 'failed=true', (job) => job.failed],
      ['since its first second', () => `since=${second(made[0], 0)}Z`, () => true],
      ['since a second after all', () => `since=${second(made[4], 1)}Z`, () => false],
      ['until its last second', () => `until=${second(made[4], 0)}Z`, () => true],
      ['until a second before all', () => `until=${second(made[0], -1)}Z`, () => false],
      ['since a date', () => 'since=2019-02-10', () => true],
      ['until a date', () => 'until=2019-02-10', () => false],
      ['since another zone', () => `since=${second(made[0], 3600)}%2B01:00`, () => true],
      ['until a fraction', () => `until=${second(made[4], 0)}.500Z`, () => true],
      [
        'all of them together',
        () => `stage=QUEUED&terminal=false&failed=false&since=2019-02-10&order=desc`,
        ({ stage }) => stage === 'QUEUED',
      ],
    ];

    // Elsewhere jobs live on, and one may change its stage between the two lists.
    const retry = target.has('newcomer') ? 0 : 2;
    it.each(filters)('4.1 %s filters', { retry }, async (_, query, keep) => {
      const all = await readList(target, account, `/jobs/?title=${mark}`);
      const kept = await readList(target, account, `/jobs/?title=${mark}&${query()}`);
      const ids = kept.map(({ id }) => id).sort((a, b) => a - b);
      expect(ids).toEqual(all.filter(keep).map(({ id }) => id));
    });

    it('4.1 title finds a part of the title, as it is written', async () => {
      const find = async (title: string) =>
        (await readList(target, account, `/jobs/?title=${encodeURIComponent(title)}`)).length;
      expect(await find(`${mark} number 3`)).toBe(1);
      expect(await find(`${mark} number`)).toBe(5);
      expect(await find(`${mark.toUpperCase()} number`)).toBe(0);
      expect(await find(`${mark}%`)).toBe(0);
      expect(await find(`${mark}_number`)).toBe(0);
    });

    it.each(badQueries)('4.1 GET /jobs/?$query is 400', async ({ query, named }) => {
      for (const path of ['/jobs/', '/jobs/hpc_one/proj_hpc_one_01/']) {
        const answer = await ask(target, { path: `${path}?${query}`, token: account.token });
        expectProblem(answer, 400, named);
      }
    });

    it('4.1 a stage of the other system is 400', async () => {
      for (const path of ['/jobs/hpc_one/?stage=COMPLETED', '/jobs/hpc_two/?stage=QUEUED']) {
        const answer = await ask(target, { path, token: account.token });
        expectProblem(answer, 400, ['query stage']);
      }
    });

    it.each(pathsWithoutQuery)('4.3 GET %s takes no parameters', async (path) => {
      const answer = await ask(target, { path: `${path}?limit=1`, token: account.token });
      expectProblem(answer, 400, ['query limit']);
    });

    it('4.1 a single job takes no parameters', async () => {
      const path = `/jobs/hpc_one/proj_hpc_one_01/${made[0]?.job_id}/?limit=1`;
      expectProblem(await ask(target, { path, token: account.token }), 400, ['query limit']);
    });

    const readCursor = async () => {
      const { next = '' } = await readPage(target, account, `/jobs/?title=${mark}&limit=1`);
      return encodeURIComponent(new URL(next).searchParams.get('cursor') ?? '');
    };

    it.each([
      ['of another system', `/jobs/hpc_one/?title=${mark}`],
      ['of another project', `/jobs/hpc_two/proj_hpc_two_01/?title=${mark}`],
      ['in the other order', `/jobs/?title=${mark}&order=desc`],
      ['with another title', `/jobs/?title=${mark.slice(1)}`],
      ['without its filter', '/jobs/?limit=1'],
      ['with one filter more', `/jobs/?title=${mark}&failed=false`],
    ])('4.1 the cursor of a list %s is 400', async (_, path) => {
      const { token } = account;
      const answer = await ask(target, { path: `${path}&cursor=${await readCursor()}`, token });
      expectProblem(answer, 400, ['query cursor']);
    });

    it('4.1 a cursor that was changed by one character is 400', async () => {
      const cursor = await readCursor();
      const positions = [0, Math.floor(cursor.length / 2), cursor.length - 2];
      for (const at of positions) {
        const other = cursor[at] === 'b' ? 'c' : 'b';
        const changed = `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`;
        const path = `/jobs/?title=${mark}&cursor=${changed}`;
        const answer = await ask(target, { path, token: account.token });
        expectProblem(answer, 400, ['query cursor']);
      }
    });

    itNeeding(target, 'other')('5 the cursor of somebody else is 400', async () => {
      const path = `/jobs/?title=${mark}&limit=1&cursor=${await readCursor()}`;
      const { token } = target.other();
      expectProblem(await ask(target, { path, token }), 400, ['query cursor']);
    });
  });
}

function belongs({ project_hpc, project_name }: Job, path: string): boolean {
  const [, , hpc, project] = path.split('/');
  return (!hpc || hpc === project_hpc.toLowerCase()) && (!project || project === project_name);
}
