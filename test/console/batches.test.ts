import { describe, expect, it, vi } from 'vitest';
import { type Batch, type Job, SlipwayProblem } from '#client/src/index.ts';
import { chooseOutput } from '#client/src/jobs/last-line.ts';
import { describeCancel } from '#console/src/batches/batch-page.tsx';
import { drawCells, fitCells } from '#console/src/batches/batch-strip.tsx';
import { joinBatches } from '#console/src/batches/batches-page.tsx';
import { lastLines } from '#console/src/batches/failed-jobs.tsx';
import { jobAt, layOutCells, stateOf } from '#console/src/batches/use-batch-jobs.ts';
import { chooseUrgentJobs } from '#console/src/home/needs-attention.tsx';
import { exploreChain, waits } from '#console/src/job/job-chain.tsx';
import { describeLimit, summarize } from '#console/src/jobs/batch-row.tsx';
import { foldBatches, mayReadUnasked } from '#console/src/jobs/fold-batches.ts';
import { type BatchState, describeCounts } from '#console/src/parts/share-bar.tsx';
import { stageOf } from './stages.ts';

const single: Job = {
  id: 1,
  job_id: 'J-1',
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
};

const jobOf = (batch: string, id: number, index: number, change: Partial<Job> = {}): Job => ({
  ...single,
  id,
  job_id: `J-${id}`,
  batch,
  index,
  ...change,
});

const done = { stage: 'SUCCESSFUL', terminal_stage: true } as const;
const failed = { stage: 'FAILED', terminal_stage: true, failed: true } as const;

const counts = { waiting: 0, running: 0, done: 0, failed: 0, cancelled: 0 };

const batch: Batch = {
  batch_id: 'B',
  count: 4,
  counts: { ...counts, waiting: 4 },
  end_date: null,
  held: { time: 7200, space: 0 },
  init_date: '2026-11-15T08:30:00Z',
  max_running: null,
  owner: '306328',
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'p',
  runtime: 0.5,
  title: 'seed {index}',
  used: { time: 0, space: 0 },
};

describe('a list of jobs', () => {
  it('has one row for each batch, and keeps single jobs', () => {
    const jobs = [
      { ...single, id: 9 },
      jobOf('B', 8, 2),
      jobOf('B', 7, 1),
      jobOf('B', 6, 0),
      { ...single, id: 5 },
      jobOf('A', 4, 0),
    ];
    const { rows, counts: folded } = foldBatches(jobs);
    expect(rows.map(({ id }) => id)).toEqual([9, 8, 5, 4]);
    expect([...folded]).toEqual([
      ['B', 3],
      ['A', 1],
    ]);
  });

  it('is not filled by reading batch after batch', () => {
    const jobs = Array.from({ length: 20_001 }, (_, index) => jobOf('B', index, index));
    const { rows } = foldBatches(jobs);
    expect(rows).toHaveLength(1);
    expect(mayReadUnasked(jobs.slice(0, 20_000), rows)).toBe(true);
    expect(mayReadUnasked(jobs, rows)).toBe(false);
    // Rows that can be seen are no reason to stop.
    expect(mayReadUnasked(jobs, jobs)).toBe(true);
  });
});

describe('Home', () => {
  it('names a batch once, with how many of its jobs failed', () => {
    const ended = { ...failed, end_date: '2026-11-15T09:00:00Z' };
    const jobs = [jobOf('B', 8, 1, ended), jobOf('B', 7, 0, ended), { ...single, ...ended }];
    const urgent = chooseUrgentJobs(jobs, {
      since: '2026-11-15T08:00:00Z',
      now: new Date('2026-11-15T09:10:00Z'),
      stageOf,
    });
    expect(urgent.map(({ job, why }) => [job.id, why])).toEqual([
      [8, '2 failed'],
      [1, undefined],
    ]);
  });

  it('names a batch that has waited long once', () => {
    const urgent = chooseUrgentJobs([jobOf('B', 8, 1), jobOf('B', 7, 0)], {
      since: '2026-11-15T08:00:00Z',
      now: new Date('2026-11-15T10:30:00Z'),
      stageOf,
    });
    expect(urgent.map(({ job, why }) => [job.id, why])).toEqual([[8, 'waiting for 2 h']]);
  });
});

describe('a list of batches', () => {
  it('shows a batch of both pages once, as it is in the newest', () => {
    const old = { ...batch, batch_id: 'A' };
    const changed = { ...batch, counts: { ...counts, done: 4 } };
    expect(joinBatches([changed], [batch, old])).toEqual([changed, old]);
  });
});

describe('the counts of a batch', () => {
  it('are written with failures first, and without what is zero', () => {
    expect(describeCounts({ ...counts, waiting: 1200, failed: 3, done: 20 })).toBe(
      '1,223 jobs: 3 failed, 20 done, 1,200 waiting',
    );
    expect(describeCounts({ ...counts, running: 1 })).toBe('1 job: 1 running');
  });

  it.each([
    [{ waiting: 4 }, null, 'waiting', 'waiting'],
    [{ waiting: 3, running: 1 }, null, 'running', 'running'],
    [{ waiting: 3, done: 1 }, null, 'running', 'running'],
    [{ waiting: 3, failed: 1 }, null, 'failed', '1 failed'],
    [{ done: 4 }, '2026-11-15T09:00:00Z', 'done', 'done'],
    [{ done: 3, cancelled: 1 }, '2026-11-15T09:00:00Z', 'cancelled', 'cancelled'],
    [{ done: 3, failed: 1 }, '2026-11-15T09:00:00Z', 'failed', '1 failed'],
  ] as const)('%j, ended %s, are summarized as %s', (change, end, state, label) => {
    const shown = summarize({ counts: { ...counts, ...change }, end_date: end });
    expect(shown).toEqual({ state, label });
  });

  it('say what a cancel gives back', () => {
    expect(describeCancel(batch)).toMatch(
      /^4 jobs will stop and cannot be resumed\. They hold 2 \S+ hours\. All of it is returned\.$/,
    );
    expect(describeCancel({ ...batch, counts: { ...counts, waiting: 3, running: 1 } })).toContain(
      'You are charged for the time that running jobs have used so far. The rest is returned.',
    );
  });
});

describe('the strip of a batch', () => {
  const states = (change: Partial<Batch>, jobs: readonly Job[]) =>
    layOutCells({ ...batch, ...change }, jobs, stageOf);

  it('has a cell for each job, also for those that are not created yet', () => {
    const jobs = [jobOf('B', 7, 0, done), jobOf('B', 8, 1, failed)];
    expect(states({}, jobs)).toEqual(['done', 'failed', 'waiting', 'waiting']);
    expect(states({}, [])).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
  });

  it('shows jobs as cancelled that were never created', () => {
    const jobs = [jobOf('B', 7, 0, done)];
    expect(states({ end_date: '2026-11-15T09:00:00Z' }, jobs)).toEqual([
      'done',
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
  });

  it('goes by the order of the jobs, because a repeated batch keeps other indexes', () => {
    const jobs = [jobOf('B', 7, 17), jobOf('B', 9, 250, done)];
    expect(states({}, jobs)).toEqual(['waiting', 'waiting', 'done', 'waiting']);
    expect(jobAt(jobs, 2)?.index).toBe(250);
    expect(jobAt(jobs, 0)?.index).toBe(17);
    expect(jobAt(jobs, 1)).toBeUndefined();
  });

  it.each([
    ['READY', 'waiting'],
    ['RUNNING', 'running'],
    ['STAGINGOUT', 'running'],
    ['A_NEW_WORD', 'running'],
  ])('shows the stage %s as %s', (stage, state) => {
    expect(stateOf(jobOf('B', 7, 0, { stage }), stageOf)).toBe(state);
  });

  it.each([
    [10, 900, { columns: 50, size: 18 }],
    [10_000, 900, { columns: 225, size: 4 }],
    [10_000, 280, { columns: 93, size: 3 }],
    [1, 0, { columns: 1, size: 3 }],
  ])('fits %i jobs into %i pixels', (count, width, fitted) => {
    expect(fitCells(count, width)).toEqual(fitted);
  });

  it('is five paths, however many jobs there are', () => {
    const cells = Array.from(
      { length: 10_000 },
      (_, place): BatchState => (place % 100 === 0 ? 'failed' : 'done'),
    );
    const paths = drawCells(cells, 225);
    expect(Object.keys(paths)).toHaveLength(5);
    expect(paths.failed.match(/M/g)).toHaveLength(100);
    expect(paths.done.match(/M/g)).toHaveLength(9900);
    expect(drawCells(['waiting', 'failed'], 1).failed).toBe('M0 1h1v1h-1z');
  });
});

describe('the end of the output', () => {
  const file = (filename: string, length: number) => ({ fileid: filename, filename, length });

  it('is that of the errors for a failed job, if it wrote any', () => {
    const files = [file('stdout', 10), file('stderr', 5), file('data.csv', 9)];
    expect(chooseOutput(files, { failed: true })?.filename).toBe('stderr');
    expect(chooseOutput(files, { failed: false })?.filename).toBe('stdout');
    const silent = [file('slurm-7.out', 10), file('stderr', 0)];
    expect(chooseOutput(silent, { failed: true })?.filename).toBe('slurm-7.out');
    expect(chooseOutput([file('data.csv', 9)], { failed: true })).toBeUndefined();
  });

  it('has the last twenty lines', () => {
    const text = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
    expect(lastLines(`${text}\n`).split('\n')).toEqual(
      Array.from({ length: 20 }, (_, line) => `line ${line + 10}`),
    );
    expect(lastLines('')).toBe('');
  });
});

describe('a chain', () => {
  const awaited = {
    job_id: 'A-1',
    hpc: 'hpc_one',
    project_name: 'p',
    title: '',
    stage: 'RUNNING',
    state: 'active',
    any_end: false,
    gives_input: false,
  } as const;
  const timeline = {
    job_id: 'B-2',
    stage: 'QUEUED',
    terminal_stage: false,
    reason: null,
    running_since: null,
    ran_seconds: null,
    stages: [],
    tries: [],
  };

  it('holds a job back while one that it names is active', () => {
    expect(waits({ ...timeline, after: [awaited] })).toBe(true);
    expect(waits({ ...timeline, after: [{ ...awaited, state: 'succeeded' }] })).toBe(false);
    expect(waits({ ...timeline, after: [awaited], terminal_stage: true })).toBe(false);
    expect(waits(timeline)).toBe(false);
  });

  describe('of five jobs in a row', () => {
    const names = ['J-0', 'J-1', 'J-2', 'J-3', 'J-4'];
    const linkTo = (place: number) =>
      names.slice(Math.max(0, place), place + 1).map((job_id) => ({ ...awaited, job_id }));
    const read = vi.fn(async ({ job_id }: { readonly job_id: string }) => {
      const place = names.indexOf(job_id);
      if (place < 0) {
        throw new SlipwayProblem({ type: 'about:blank', title: '', status: 404, detail: '' });
      }
      const then = linkTo(place + 1).map((job) => ({
        ...job,
        terminal_stage: false,
        failed: false,
      }));
      const after = place === 0 ? [{ ...awaited, job_id: 'BATCH' }] : linkTo(place - 1);
      return { ...timeline, job_id, after, awaited_by: then };
    });
    const ids = (jobs: readonly { readonly job_id: string }[]) => jobs.map(({ job_id }) => job_id);

    it('is followed to both ends, with one request for each job', async () => {
      read.mockClear();
      const { earlier, later, cut } = await exploreChain(await read({ job_id: 'J-2' }), read);
      expect([ids(earlier), ids(later), cut]).toEqual([['BATCH', 'J-0'], ['J-4'], false]);
      expect(read).toHaveBeenCalledTimes(6);
    });

    it('is followed no farther than the requests allow, and says so', async () => {
      const { earlier, later, cut } = await exploreChain(await read({ job_id: 'J-2' }), read, 2);
      expect([ids(earlier), ids(later), cut]).toEqual([['J-0'], ['J-4'], true]);
    });

    it('asks for nothing if there is no chain', async () => {
      read.mockClear();
      expect(await exploreChain(timeline, read)).toEqual({ earlier: [], later: [], cut: false });
      expect(read).not.toHaveBeenCalled();
    });
  });
});

describe('a batch among jobs', () => {
  it.each([
    [0.5, '30 min', 'Time limit: 0.5 hours'],
    [26, '1 d 2 h', 'Time limit: 26 hours'],
  ])('has the time limit of its jobs: %d hours', (runtime, text, means) => {
    expect(describeLimit({ runtime })).toEqual({ text, means });
  });
});
