import { attendBatch } from '#lib/batches/attend-batch.ts';
import { batchFromItem } from '#lib/batches/batch.ts';
import { submitBatch } from '#lib/batches/submit-batch.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job, jobFromItem } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { endJob } from '#lib/jobs/life/end-job.ts';
import { type JobLife, lifeFromItem } from '#lib/jobs/life/job-life.ts';
import { handOverJobs } from '#lib/jobs/run/hand-over/hand-over-jobs.ts';
import type { Sweep } from '#lib/jobs/run/sweep/sweep.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { ledgerLineToItem, lineFromItem } from '#lib/quotas/ledger.ts';
import { openQuota } from '#lib/quotas/quota.ts';
import { quotaFromItem, quotaToItem } from '#lib/quotas/quota-item.ts';
import { batchKey, jobLifeKey } from '#lib/table/keys.ts';
import { putItem } from '#lib/table/writes.ts';
import { readItem } from '#local/dynamodb/documents/answer-in-process.ts';
import { catalog as fixture } from '#test/fixtures/catalog.ts';
import { noAddresses } from '#test/fixtures/jobs.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { userId } from '#test/fixtures/names.ts';
import { callSystem, type Task, table } from './processes.ts';
import type { World } from './world.ts';

const user = userId('306328');
const start = new Date('2026-11-17T12:00:00Z');
const hour = 3600;
const files = createMemoryFiles();

/** The same place for all jobs, on a system that counts the time of cancelled jobs, or one that does not. */
function chooseSystem(counts: boolean): HpcSystem {
  const [system] = fixture.systems;
  if (!system) throw new Error('The catalog has no system.');
  const connector = counts
    ? ({ kind: 'unicore', baseUrl: 'https://unicore.example.org' } as const)
    : system.connector;
  return { ...system, connector };
}

/** What is explored. */
export interface Scenario {
  readonly name: string;
  /** What is submitted: one job with an input, a batch of two without, or both. */
  readonly asks: readonly ('job' | 'batch')[];
  /** How many jobs the quota pays for, each of which is granted an hour. */
  readonly fits: number;
  /** Whether jobs are handed over to a system and followed there, or just end. */
  readonly handsOver: boolean;
  /** Whether the system says after a cancel how long a job ran. */
  readonly counts: boolean;
  /** Which jobs their owner may cancel at any moment. */
  readonly cancels: readonly ('job' | 'batch')[];
  /** Whether the owner may delete an ended job with an input, which gives back its space. */
  readonly deletes: boolean;
  /** Lets the table take every write, whatever its condition says. */
  readonly forgetsConditions?: boolean;
}

export class Scene {
  readonly scenario: Scenario;
  readonly #system: HpcSystem;
  readonly #catalog: Catalog;
  /** The same sweeps come up in many states. */
  readonly #sweeps = new WeakMap<Due, Task>();
  readonly #sweepsBeside = new WeakMap<Due, Task>();

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.#system = chooseSystem(scenario.counts);
    this.#catalog = { systems: [this.#system] };
  }

  get #project() {
    const [project] = this.#system.projects;
    if (!project) throw new Error('The system has no project.');
    return project;
  }

  /** Opens the account, before anything else happens. */
  get openAccount(): Task {
    const granted = { seconds: this.scenario.fits * hour, kilobytes: 10 };
    const { number, name } = this.#project;
    const project = { number, hpc: this.#system.name, name };
    const quota = openQuota({ id: 1, user, project }, granted);
    return {
      name: 'open the account',
      seed: 0,
      run: async () => {
        await putItem(table, { Item: quotaToItem(quota) });
        const account = { user, hpc: project.hpc, project: name };
        const line = { kind: 'grant' as const, at: start, by: 'slipway', reason: 'first contact' };
        await putItem(table, {
          Item: ledgerLineToItem({ ...account, ...granted, ...line, opens: true }),
        });
      },
    };
  }

  #submission(kilobytes: number): Submission {
    const content = new Uint8Array(kilobytes * 1000);
    return {
      owner: user,
      system: this.#system,
      project: this.#project,
      program: 'true',
      nodes: 1,
      coresPerNode: 1,
      joins: false,
      requestedRuntime: 1,
      title: '',
      extras: {},
      input: {
        fileName: 'a.zip',
        source: kilobytes === 0 ? { kind: 'none' } : { kind: 'inline', content, sha256: '' },
      },
    };
  }

  get #context() {
    return { table, catalog: this.#catalog, inputs: files.inputs };
  }

  /** The requests of clients, each with an Idempotency-Key. */
  get submissions() {
    return this.scenario.asks.map((asked) => ({
      asked,
      task: asked === 'job' ? this.#submitJob : this.#submitBatch,
    }));
  }

  get #submitJob(): Task {
    const send = () => submitJob(this.#context, this.#submission(2), 'key-job', start);
    const run = async () => (await send()).job.jobId;
    return { name: 'submit a job', answers: 'job', seed: 1, run };
  }

  get #submitBatch(): Task {
    const batch = { ...this.#submission(0), shape: { count: 2 }, maxRunning: undefined };
    const send = () => submitBatch(this.#context, batch, 'key-batch', start);
    const run = async () => (await send()).batch.id;
    return { name: 'submit a batch', answers: 'batch', seed: 2, run };
  }

  /** Creates the jobs of the batch, and attends to it until it needs no more attention. */
  attendBatch({ owner, id }: Found['batches'][number]): Task {
    const context = { ...this.#context, files, now: () => start, isOver: () => false };
    const run = () => attendBatch(context, batchKey(owner, id));
    return { name: `attend to ${id}`, seed: 0, run };
  }

  /**
   * Hands a job over, or checks it, or tells the system of its cancel: whatever is due. A claim whose
   * process died is noticed an hour later, when its lease has expired.
   */
  sweep(due: Due, isHeld: boolean): Task {
    const sweeps = isHeld ? this.#sweepsBeside : this.#sweeps;
    const known = sweeps.get(due);
    if (known) return known;
    const task = this.#makeSweep(due, isHeld);
    sweeps.set(due, task);
    return task;
  }

  #makeSweep({ job, life }: Due, isHeld: boolean): Task {
    const hours = life.claims - (isHeld ? 1 : 0);
    const now = new Date(start.getTime() + hours * hour * 1000);
    const sweep: Sweep = {
      table,
      files,
      system: this.#system,
      connector,
      addressesOf: () => noAddresses,
      now: () => now,
      windows: [],
      leftMs: () => 60_000,
      isOver: () => false,
    };
    const dueAt = life.dueAt?.toISOString() ?? '';
    const key = { ...jobLifeKey(accountOf(job), job.jobId), dueAt };
    const fail = (error: unknown) => {
      throw error;
    };
    return {
      name: `sweep ${job.jobId}, due at ${dueAt}, at ${now.toISOString()}`,
      seed: 0,
      run: () => handOverJobs(sweep, [key], fail),
    };
  }

  /** Ends a job that is found active, as a sweep does. */
  end({ jobId, ...place }: Job): Task {
    const end = { stage: 'SUCCESSFUL', outcome: 'succeeded', endedAt: start, ranSeconds } as const;
    const run = async () => {
      const job = await findJob(table, accountOf(place), jobId);
      if (!job.terminal) await endJob(table, job, end, start);
    };
    return { name: `end ${jobId}`, seed: 0, run };
  }

  /** Cancels or deletes a job, as its owner asked. */
  discard(job: Job, wish: 'cancel' | 'delete'): Task {
    const run = () => deleteJob(table, accountOf(job), job.jobId, start, wish);
    return { name: `${wish} ${job.jobId}`, seed: 0, run };
  }
}

export interface Due {
  readonly job: Job;
  readonly life: JobLife;
}

/** Half of the granted hour: every job has ended when its system is asked. */
export const ranSeconds = hour / 2;

const connector: Connector = {
  pollFloorSeconds: 10,
  batchSize: 10,
  async submit({ jobId }) {
    const { runs } = await callSystem('submit', jobId);
    return `${jobId}-${runs}`;
  },
  async findByTag({ jobId }) {
    const { runs } = await callSystem('find', jobId);
    return runs > 0 ? `${jobId}-1` : undefined;
  },
  async lookUp(jobs) {
    const [job] = jobs;
    if (!job) return new Map();
    const { runs } = await callSystem('look up', job.jobId);
    const ended = {
      stage: 'SUCCESSFUL',
      outcome: 'succeeded',
      usedSeconds: ranSeconds,
      endedAt: start,
    } as const;
    return new Map([[job.jobId, runs > 0 ? { state: 'ended', ...ended } : { state: 'unknown' }]]);
  },
  async cancel({ jobId }) {
    await callSystem('cancel', jobId);
  },
  listFiles: async () => [],
  openFile: () => Promise.reject(new Error('There are no files.')),
  checkHealth: async () => undefined,
};

/** What a world holds, as the service would read it. */
export type Found = ReturnType<typeof findAll>;

const found = new Map<number, Found>();

export function lookInto(world: World): Found {
  const known = found.get(world.id);
  if (known) return known;
  const all = findAll(world);
  found.set(world.id, all);
  return all;
}

function findAll({ items, system }: World) {
  const stored = [...items.values()].map((text) => readItem(text));
  const ofType = <T>(type: string, parse: (item: unknown) => T): T[] =>
    stored.filter((item) => item.type === type).map(parse);
  const jobs = ofType('job', jobFromItem);
  const lives = new Map(ofType('job-life', lifeFromItem).map((life) => [life.jobId, life]));
  return {
    jobs,
    due: jobs.flatMap((job): Due[] => {
      const life = lives.get(job.jobId);
      return life?.dueAt ? [{ job, life }] : [];
    }),
    lives,
    batches: ofType('batch', batchFromItem),
    quotas: ofType('quota', quotaFromItem),
    lines: ofType('ledger-line', lineFromItem),
    system,
  };
}
