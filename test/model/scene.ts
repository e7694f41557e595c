import type { Catalog } from '#lib/catalog/catalog.ts';
import type { BatchId, JobId, UserId } from '#lib/catalog/identifiers.ts';
import type { Job } from '#lib/jobs/job.ts';
import type { SubmissionContext } from '#lib/jobs/submit/accept-once.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import type { Quota } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import type { Table } from '#lib/table/table.ts';
import { userId } from '#test/fixtures/names.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import { type Amount, budget, Model, type ModelJob } from './accounts.ts';
import type { Faults } from './faults.ts';
import type { Fault } from './history.ts';
import { catalogAfter, catalogBefore, type Place } from './places.ts';

export const by = '100001';
export const reason = 'a step of a history';

/** Whom a step concerned, and the projects whose ledgers it may have written. */
export interface Touched {
  readonly user: UserId;
  readonly places: readonly Place[];
}

interface Submitted {
  readonly submission: Submission;
  readonly key: string;
  readonly jobId: JobId;
}

/** What the steps of one history share: the table, the model that it is held against, the time. */
export class Scene {
  readonly table: Table;
  readonly model = new Model(() => this.now);
  /** What there is: another system may come. */
  catalog: Catalog = catalogBefore;
  /** What was accepted with a key, and may be sent again. */
  readonly submitted: Submitted[] = [];
  readonly files = createMemoryFiles();
  readonly #faults: Faults;
  readonly #history: number;
  readonly #records = new Map<string, Job>();
  #now: Date;

  constructor(table: Table, faults: Faults, history: number) {
    this.table = table;
    this.#faults = faults;
    this.#history = history;
    this.#now = startOf(history);
  }

  get context(): SubmissionContext {
    const { table, catalog, files } = this;
    return { table, catalog, inputs: files.inputs, budget };
  }

  openSystem(): void {
    this.catalog = catalogAfter;
  }

  offers({ system }: Place): boolean {
    return this.catalog.systems.includes(system);
  }

  get now(): Date {
    return this.#now;
  }

  passSecond(): void {
    this.pass(1);
  }

  pass(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }

  /** A little after a moment, to which a request that is sent again does not reach back. */
  passTo(moment: Date): void {
    this.#now = new Date(moment.getTime() + 500);
    this.submitted.length = 0;
  }

  /** Users are new in each history: accounts of two histories share nothing. */
  nameOf(user: string): UserId {
    return userId(`${user}${String(this.#history).padStart(8, '0')}`);
  }

  /** What came of an action under a fault; an error is an outcome too. */
  async attempt<T>(fault: Fault | null, action: () => Promise<T>): Promise<T | Error> {
    return this.#faults.run(fault, action).catch((error: Error) => error);
  }

  read(user: UserId, { project }: Place): Promise<Quota | undefined> {
    return readQuota(this.table, { user, hpc: project.hpc, project: project.name });
  }

  knows({ jobId }: Job): boolean {
    return this.#records.has(jobId);
  }

  /** Takes a job that the table has into the model, with what it should hold and may cost. */
  keep(job: Job, hold: Amount, cost: number | undefined, batch?: BatchId): ModelJob {
    this.#records.set(job.jobId, job);
    const kept: ModelJob = {
      jobId: job.jobId,
      user: job.owner,
      project: job.project.name,
      hold,
      hours: job.runtime,
      state: 'living',
      counted: false,
      ...(cost !== undefined && { cost }),
      ...(batch && { batch }),
    };
    this.model.jobs.push(kept);
    return kept;
  }

  /** Remembers a job as the table has it now. */
  renew(job: Job): void {
    this.#records.set(job.jobId, job);
  }

  recordOf({ jobId }: ModelJob): Job {
    const job = this.#records.get(jobId);
    if (!job) throw new Error(`${jobId} is not known.`);
    return job;
  }
}

/**
 * Each history is long before the one that was played before it: what is due of an account that is
 * done with stays in its future, and no sweep of a later history attends to it.
 */
function startOf(history: number): Date {
  return new Date(Date.UTC(9000, -3 * history, 15, 0, 0, 0, 500));
}

/** One of a list by any number, if there is one. */
export function pick<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)];
}
