import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { createRandom } from '../faults/fault.ts';
import { type Edition, end, type Home, openHome, projectRoot } from '../fixtures/edition.ts';
import { recordRun } from '../setup/record-run.ts';
import { pollUntil } from '../slurm/poll-until.ts';
import { type JobBody, Researcher } from '../slurm/researcher.ts';

const histories = Number(process.env.HISTORIES ?? 25);
const firstSeed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const jobsEach = 12;
const killsEach = 3;
const environment = { SYSTEMS: 'machine' };
const granted = 18_000_000;
const patienceSeconds = 180;

interface Planned {
  readonly at: number;
  readonly path: string;
  readonly jobId: string;
  readonly code: number;
  readonly nodes: number;
  isCancelled: boolean;
  /** Set if its shepherd was killed. */
  isLost: boolean;
}

const signIn = ({ url, token }: Edition) => new Researcher({ url, token, user: '306328' });

function readPart(home: Home, jobId: string, name: string) {
  const file = join(home.path, '.slipway/data/jobs/hpc_one', jobId, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Lists processes that carry the mark of one of these jobs. */
function listProcesses(jobs: readonly Planned[]): string[] {
  const marks = jobs.map(({ jobId }) => `SLIPWAY_JOB_ID=${jobId}`);
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((pid) => {
      try {
        const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        return marks.some((mark) => variables.includes(mark));
      } catch {
        return false;
      }
    });
}

const began = performance.now();
/** What the histories that held have played so far. */
const held = { histories: 0, jobs: 0, shepherds: 0 };

async function play(seed: number): Promise<void> {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const home = openHome();
  const marks = join(home.path, 'marks');
  const jobs: Planned[] = [];
  let edition = await home.start(environment);

  async function submit(): Promise<void> {
    const [at, code, nodes, wait] = [jobs.length, below(4), 1 + below(2), below(15) / 10];
    // Some leave a process behind that has a session of its own.
    const stray = below(3) === 0 ? 'setsid sleep 600 & ' : '';
    const command = `echo ${at} >> ${marks}; ${stray}sleep ${wait}; exit ${code}`;
    const { path, body } = await signIn(edition).submit(command, { nodes, runtime: 0.05 });
    const fate = { isCancelled: false, isLost: false };
    jobs.push({ at, path, jobId: body.job_id, code, nodes, ...fate });
  }

  async function cancelOne(): Promise<void> {
    const job = jobs[below(jobs.length)];
    if (!job || (await signIn(edition).read<JobBody>(job.path)).terminal_stage) return;
    job.isCancelled = true;
    await signIn(edition).cancel(job.path);
  }

  function killShepherd(): void {
    const job = jobs.find(
      ({ jobId }) => readPart(home, jobId, 'started.json') && !readPart(home, jobId, 'exit.json'),
    );
    if (!job) return;
    try {
      process.kill(readPart(home, job.jobId, 'started.json').shepherd.pid, 'SIGKILL');
      job.isLost = true;
    } catch {
      // It has just ended by itself.
    }
  }

  for (let kill = 0; kill < killsEach; kill += 1) {
    while (jobs.length < (jobsEach * (kill + 1)) / killsEach) await submit();
    if (below(2) === 0) await cancelOne();
    await delay(below(1500));
    if (below(3) === 0) killShepherd();
    await end(edition.child, 'SIGKILL');
    await delay(below(2000));
    edition = await home.start(environment);
  }

  const ada = signIn(edition);
  const ends = await Promise.all(
    jobs.map(({ path }) =>
      pollUntil(`${path} ends`, patienceSeconds, async () => {
        const job = await ada.read<JobBody>(path);
        return job.terminal_stage ? job : undefined;
      }),
    ),
  );
  await pollUntil('all is settled', patienceSeconds, async () => {
    const [quota] = await ada.read<{ usage: { time: { held: number } } }[]>(
      '/quotas/hpc_one/?expand=usage',
    );
    return quota?.usage.time.held === 0 || undefined;
  });

  const used = await compareCharges(ada, home, jobs, ends);
  expect(await ada.readTimeLeft(), `seed ${seed}`).toBe(granted - used);
  const started = existsSync(marks) ? readFileSync(marks, 'utf8').trim().split('\n') : [];
  expect(new Set(started).size, `seed ${seed}: a job ran twice`).toBe(started.length);
  expect(listProcesses(jobs), `seed ${seed}: processes are left`).toEqual([]);
  await end(edition.child, 'SIGTERM');
  held.histories += 1;
  held.jobs += jobs.length;
  held.shepherds += jobs.filter(({ isLost }) => isLost).length;
}

/** Compares each job with the end that its shepherd wrote. Returns the sum of all charges. */
async function compareCharges(
  ada: Researcher,
  home: Home,
  jobs: readonly Planned[],
  ends: readonly JobBody[],
): Promise<number> {
  const ledger = await ada.read<{ job_id: string; used: { time: number } }[]>(
    '/quotas/hpc_one/proj_hpc_one_01/ledger/?sum=job',
  );
  let used = 0;
  for (const [at, job] of jobs.entries()) {
    const exit = readPart(home, job.jobId, 'exit.json');
    const charged = ledger.find(({ job_id }) => job_id === job.jobId)?.used.time ?? 0;
    used += charged;
    const story = JSON.stringify({ job, exit, charged, end: ends[at] });
    if (exit)
      expect(Math.abs(charged - exit.seconds * job.nodes), story).toBeLessThan(job.nodes + 1);
    else expect(charged, story).toBe(0);
    if (job.isCancelled) expect(ends[at]?.stage, story).toBe('CANCELED');
    else if (exit?.cause === 'lost') expect(job.isLost, story).toBe(true);
    else {
      expect(exit, story).toMatchObject({ cause: 'ended', code: job.code });
      expect(ends[at]?.failed, story).toBe(job.code !== 0);
    }
  }
  return used;
}

it('ten jobs that run at once outlive a service that is away for 20 seconds', async () => {
  const home = openHome();
  const catalog = JSON.parse(
    readFileSync(join(projectRoot, 'lib/catalog/this-machine.json'), 'utf8'),
  );
  catalog.systems[0].connector.cores = 10;
  const CATALOG = join(home.path, 'catalog.json');
  writeFileSync(CATALOG, JSON.stringify(catalog));
  let edition = await home.start({ CATALOG });
  const marks = join(home.path, 'marks');
  const submitted = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      signIn(edition).submit(`echo ${at} >> ${marks}; sleep ${10 + 2 * at}; exit ${at}`),
    ),
  );
  const partsOf = (name: string) =>
    submitted.map(({ body }) => readPart(home, body.job_id, name)).filter(Boolean);
  await pollUntil(
    'all ten run',
    60,
    async () => partsOf('started.json').length === 10 || undefined,
  );
  expect(partsOf('exit.json')).toEqual([]);
  await end(edition.child, 'SIGKILL');
  await delay(20_000);
  edition = await home.start({ CATALOG });
  const ada = signIn(edition);
  for (const [at, { path, body }] of submitted.entries()) {
    const ended = await pollUntil(`${path} ends`, patienceSeconds, async () => {
      const job = await ada.read<JobBody>(path);
      return job.terminal_stage ? job : undefined;
    });
    const exit = readPart(home, body.job_id, 'exit.json');
    const story = JSON.stringify({ ended, exit });
    expect(ended.failed, story).toBe(at > 0);
    expect(exit, story).toMatchObject({ cause: 'ended', code: at });
    expect(exit.seconds, story).toBeGreaterThan(10 + 2 * at - 0.1);
    expect(exit.seconds, story).toBeLessThan(10 + 2 * at + 5);
  }
  expect(readFileSync(marks, 'utf8').trim().split('\n')).toHaveLength(10);
  await end(edition.child, 'SIGTERM');
}, 600_000);

it.each(Array.from({ length: histories }, (_, at) => firstSeed + at))(
  'jobs on this machine survive kills of the service and of shepherds: SEED=%i',
  (seed) => play(seed),
  600_000,
);

afterAll(() => {
  if (held.histories < histories) return;
  recordRun({
    suite: 'kills-machine',
    tried: [
      { unit: 'jobs as processes of one machine', tried: held.jobs, survived: held.jobs },
      { unit: 'histories', tried: held.histories, survived: held.histories },
    ],
    figures: [
      `${histories * killsEach} kills of the service and ${held.shepherds} of shepherds`,
      `seed ${firstSeed}`,
    ],
    seconds: (performance.now() - began) / 1000,
  });
});
