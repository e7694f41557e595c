import { describe, expect, it } from 'vitest';
import { createClient, type Job } from '#client/src/index.ts';
import { describeEffects, describeResults, discardJobs } from '#console/src/job/discard-jobs.ts';
import { askFor, describeDays, readFilters, writeFilters } from '#console/src/jobs/filter-bar.tsx';
import { visibleRows } from '#console/src/jobs/job-rows.tsx';
import { classOf, parseView } from '#console/src/jobs/list-view.tsx';
import { chooseFollowed } from '#console/src/jobs/progress.tsx';
import { addSaved, parseSaved } from '#console/src/jobs/saved-filters.tsx';
import { markAll, markRange, nothingMarked, toggleMark } from '#console/src/jobs/selection.tsx';
import { readSorting, sortJobs, turnSorting, writeSorting } from '#console/src/jobs/sort-jobs.ts';
import { mergeJobs, readMore } from '#console/src/jobs/use-jobs.ts';
import { stageOf } from './stages.ts';

function jobs(...ids: readonly number[]): Job[] {
  return ids.map((id) => ({
    id,
    job_id: `J-${id}`,
    owner: '306328',
    project: 1,
    project_hpc: 'HPC_ONE',
    project_name: 'p',
    title: '',
    runtime: 1,
    stage: 'QUEUED',
    terminal_stage: false,
    failed: false,
    init_date: '2026-11-15T08:30:00Z',
    end_date: null,
  }));
}

const idsOf = (list: readonly Job[]) => list.map(({ id }) => id);

describe('the filters of a list', () => {
  const read = (query: string) => readFilters(new URLSearchParams(query));

  it.each([
    ['', { order: 'desc' }],
    ['state=active', { order: 'desc', terminal: false }],
    ['state=ended', { order: 'desc', terminal: true }],
    ['state=failed&title=a%20b', { order: 'desc', failed: true, title: 'a b' }],
    ['hpc=hpc_one&project=p', { order: 'desc', hpc: 'hpc_one', project_name: 'p' }],
    ['project=p', { order: 'desc' }],
    ['state=nonsense', { order: 'desc' }],
    ['since=2026-11-01&until=x', { order: 'desc', since: '2026-11-01' }],
    ['until=2026-11-02&sort=-title', { order: 'desc', until: '2026-11-02' }],
  ])('%j become a request', (query, asked) => {
    expect(askFor(read(query))).toEqual(asked);
  });

  it.each([
    ['', '', 'all days'],
    ['2026-11-01', '', 'since 1 November 2026'],
    ['', '2026-11-15', 'until 15 November 2026'],
    ['2026-11-01', '2026-11-15', '1 November 2026 to 15 November 2026'],
  ])('from %j to %j are %s', (since, until, words) => {
    expect(describeDays({ since, until })).toBe(words);
  });

  it('can be written and read again', () => {
    const filters = {
      state: 'failed',
      hpc: 'hpc_one',
      project: 'p',
      title: 'x',
      since: '2026-11-01',
      until: '2026-11-15',
      sort: '-title',
    } as const;
    const written = Object.entries(writeFilters(filters)).map(([name, value]) => [
      name,
      value ?? '',
    ]);
    expect(read(new URLSearchParams(written).toString())).toEqual(filters);
  });
});

describe('sorting a list', () => {
  const listed: Job[] = jobs(5, 4, 3, 2).map((job, at) => ({
    ...job,
    title: ['b', 'a 10', 'a 9', 'B'][at] ?? '',
    runtime: [1, 3, 2, 1][at] ?? 0,
    ...(at === 2 && { stage: 'FAILED', failed: true, terminal_stage: true }),
    ...(at === 3 && { stage: 'RUNNING' }),
  }));
  const sorted = (text: string) => idsOf(sortJobs(listed, readSorting(text), stageOf));

  it.each([
    ['', [5, 4, 3, 2]],
    ['nonsense', [5, 4, 3, 2]],
    ['age', [2, 3, 4, 5]],
    // Numbers in titles count as numbers, and jobs that are alike stay newest first.
    ['title', [3, 4, 5, 2]],
    ['-time', [4, 3, 5, 2]],
    ['stage', [2, 5, 4, 3]],
    ['id', [2, 3, 4, 5]],
  ])('by %j', (text, order) => {
    expect(sorted(text)).toEqual(order);
  });

  it('turns round with a second click, and the usual order has no place in the address', () => {
    const byTitle = turnSorting(readSorting(''), 'title');
    expect(writeSorting(byTitle)).toBe('title');
    expect(writeSorting(turnSorting(byTitle, 'title'))).toBe('-title');
    expect(writeSorting(turnSorting(byTitle, 'age'))).toBe('');
  });

  it('takes ten thousand jobs in good time', () => {
    const many = jobs(...Array.from({ length: 10_000 }, (_, at) => 10_000 - at));
    const begun = performance.now();
    expect(sortJobs(many, readSorting('title'), stageOf)).toHaveLength(10_000);
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});

describe('how a list is shown', () => {
  it('is read from the browser, without what it does not know', () => {
    expect(parseView(undefined)).toEqual({ compact: false, hidden: [] });
    expect(parseView({ compact: true, hidden: ['id', 'title', 7] })).toEqual({
      compact: true,
      hidden: ['id'],
    });
    expect(classOf({ compact: true, hidden: ['id'] })).toBe('list compact no-id');
  });

  it('has saved filters, which lead to lists of the console only', () => {
    const mine = { name: 'mine', address: '/console/jobs/?state=failed' };
    const away = { name: 'away', address: 'https://example.com/' };
    expect(parseSaved([mine, away, 'x', { name: 'y' }])).toEqual([mine]);
    expect(parseSaved('x')).toEqual([]);
    const again = { ...mine, address: '/console/jobs/?state=ended' };
    expect(addSaved([mine], again)).toEqual([again]);
    expect(
      addSaved(
        Array.from({ length: 30 }, (_, at) => ({ ...mine, name: `${at}` })),
        mine,
      ),
    ).toHaveLength(30);
  });

  it('selects all jobs of the list', () => {
    expect(markAll(jobs(2, 1))).toEqual({ ids: new Set(['J-2', 'J-1']), last: undefined });
  });
});

describe('pages of jobs', () => {
  it('follow each other', () => {
    expect(idsOf(mergeJobs(jobs(9, 8, 7), jobs(6, 5), 3))).toEqual([9, 8, 7, 6, 5]);
  });

  it('have each job once, as on the newest page', () => {
    expect(idsOf(mergeJobs(jobs(10, 9, 8), jobs(8, 7, 6), 3))).toEqual([10, 9, 8, 7, 6]);
    expect(idsOf(mergeJobs(jobs(10, 9, 8), jobs(7, 7, 6), 3))).toEqual([10, 9, 8, 7, 6]);
  });

  it('drop a job that is gone from the newest page', () => {
    expect(idsOf(mergeJobs(jobs(9, 7, 6), jobs(8, 5), 3))).toEqual([9, 7, 6, 5]);
  });

  it('end with a newest page that is not full', () => {
    expect(idsOf(mergeJobs(jobs(9, 8), jobs(7, 6), 3))).toEqual([9, 8]);
    expect(idsOf(mergeJobs([], jobs(7, 6), 3))).toEqual([]);
  });
});

describe('rendered rows', () => {
  it.each([
    [{ top: 0, height: 900 }, 10_000, { first: 0, end: 29 }],
    [{ top: 40 * 5000, height: 900 }, 10_000, { first: 4994, end: 5029 }],
    [{ top: 40 * 9990, height: 900 }, 10_000, { first: 9984, end: 10_000 }],
    [{ top: 0, height: 900 }, 3, { first: 0, end: 3 }],
    [{ top: 40 * 5000, height: 900 }, 3, { first: 3, end: 3 }],
  ])('at %j of %d are those near the view', (seen, count, rows) => {
    expect(visibleRows(seen, 40, count)).toEqual(rows);
  });
});

describe('selecting jobs', () => {
  const listed = jobs(9, 8, 7, 6, 5);
  const marks = (...ids: readonly string[]) => ({ ids: new Set(ids), last: ids.at(-1) });

  it('selects and deselects one', () => {
    const marked = toggleMark(toggleMark(nothingMarked, 'J-9'), 'J-7');
    expect(marked).toEqual({ ids: new Set(['J-9', 'J-7']), last: 'J-7' });
    expect(toggleMark(marked, 'J-9')).toEqual({ ids: new Set(['J-7']), last: 'J-9' });
  });

  it('selects a range in either direction', () => {
    expect([...markRange(marks('J-8'), listed, 'J-6').ids]).toEqual(['J-8', 'J-7', 'J-6']);
    expect([...markRange(marks('J-6'), listed, 'J-8').ids].sort()).toEqual(['J-6', 'J-7', 'J-8']);
  });

  it('deselects a range', () => {
    const without = toggleMark(marks('J-9', 'J-8', 'J-7'), 'J-8');
    expect([...markRange(without, listed, 'J-7').ids]).toEqual(['J-9']);
  });

  it('selects one job if the range has no start', () => {
    expect([...markRange(nothingMarked, listed, 'J-6').ids]).toEqual(['J-6']);
    expect([...markRange(marks('gone'), listed, 'J-6').ids]).toEqual(['gone', 'J-6']);
  });
});

describe('discarding several jobs', () => {
  const [active, other] = jobs(1, 2);
  const ended = jobs(3, 4).map((job) => ({ ...job, terminal_stage: true, stage: 'SUCCESSFUL' }));
  const cancelled = jobs(5).map((job) => ({ ...job, terminal_stage: true, stage: 'CANCELED' }));
  const all = [active, other, ...ended, ...cancelled].filter((job) => job !== undefined);

  it('says what happens to which jobs', () => {
    expect(describeEffects('cancel', all)).toEqual([
      expect.stringMatching(/^2 jobs will stop .* the rest is returned\.$/),
      '3 jobs will stay unchanged: already ended.',
    ]);
    const deleted = cancelled.map((job) => ({ ...job, stage: 'DELETED' }));
    expect(describeEffects('delete', [...ended.slice(1), ...deleted])).toEqual([
      expect.stringMatching(/^1 job will be deleted with all files/),
      '1 job will stay unchanged: still active or already deleted.',
    ]);
    expect(describeEffects('delete', [...ended, ...cancelled])).toEqual([
      expect.stringMatching(/^3 jobs will be deleted /),
    ]);
  });

  it('leaves jobs alone that changed in the meantime', async () => {
    const sent: string[] = [];
    const answers = new Map(all.map((job) => [job.job_id, job]));
    const service = createClient({
      baseUrl: 'http://localhost',
      retries: 0,
      fetch: async (input, { method } = {}) => {
        const [id = '', query] = String(input).split('/').slice(-2);
        sent.push(`${method} ${id}${query}`);
        const job = answers.get(id);
        if (!job) return Response.json({ type: 'x', title: 'x', detail: 'gone' }, { status: 404 });
        return Response.json(job.terminal_stage ? job : { ...job, stage: 'CANCELED' });
      },
    });
    const unknown = jobs(99);
    const discarded = await discardJobs(service, 'cancel', [...all.slice(1, 3), ...unknown]);
    expect(sent).toEqual(['J-2', 'J-3', 'J-99'].map((id) => `DELETE ${id}?only=cancel`));
    expect(discarded.jobs.map(({ stage }) => stage)).toEqual(['CANCELED', 'SUCCESSFUL']);
    expect(describeResults('cancel', discarded)).toBe(
      '1 job cancelled. 1 job changed in the meantime and stayed as before. 1 job could not be cancelled.',
    );
  });
});

describe('how long a job has run', () => {
  it('is loaded for the first twenty running jobs only', () => {
    const stages = ['QUEUED', 'RUNNING', 'STAGINGOUT'];
    const seen = jobs(...Array.from({ length: 60 }, (_, id) => id)).map((job) => ({
      ...job,
      stage: stages[job.id % 3] ?? '',
    }));
    const ended = jobs(99).map((job) => ({ ...job, stage: 'RUNNING', terminal_stage: true }));
    const followed = chooseFollowed([...ended, ...seen], stageOf);
    expect(followed).toHaveLength(20);
    expect(idsOf(followed).slice(0, 4)).toEqual([1, 2, 4, 5]);
  });
});

describe('older jobs', () => {
  const page = (count: number) => Array.from({ length: count }, () => ({}) as Job);
  async function* list(...sizes: number[]) {
    for (const size of sizes) yield page(size);
  }

  it.each([
    ['all of them on a short page', [328], { count: 328, done: true }],
    ['short pages, as filters make them', [5, 0, 7], { count: 12, done: true }],
    ['a whole page', [1000, 5], { count: 1000, done: false }],
    ['nothing', [], { count: 0, done: true }],
  ])('with %s are read until the end is known', async (_, sizes, expected) => {
    const { jobs, done } = await readMore(list(...sizes));
    expect({ count: jobs.length, done }).toEqual(expected);
  });
});
