import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { catalog, defaultProject } from '../../lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '../../lib/catalog/hpc-system.ts';
import { ownStages } from '../../lib/catalog/hpc-system.ts';
import { deleteJob } from '../../lib/jobs/delete-job.ts';
import { endJob, JobEndedError } from '../../lib/jobs/end-job.ts';
import type { Job } from '../../lib/jobs/job.ts';
import { jobFromItem, placeOf } from '../../lib/jobs/job-item.ts';
import { findJob } from '../../lib/jobs/job-store.ts';
import type { Submission } from '../../lib/jobs/submission.ts';
import { submitJob } from '../../lib/jobs/submit-job.ts';
import { banUser, unbanUser } from '../../lib/quotas/ban-user.ts';
import { expireQuotas } from '../../lib/quotas/expire-quotas.ts';
import { grantQuota } from '../../lib/quotas/grant-quota.ts';
import { readQuota } from '../../lib/quotas/quota-store.ts';
import { removeQuota } from '../../lib/quotas/remove-quota.ts';
import type { Table } from '../../lib/table/table.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';
import { type Amount, Model, type ModelJob, maxLivingJobs } from './accounts.ts';
import { CrashError, type injectFaults } from './faults.ts';
import type { Step } from './history.ts';
import { Ledgers } from './ledgers.ts';

type StepOf<Act extends Step['act']> = Extract<Step, { act: Act }>;
type Faults = ReturnType<typeof injectFaults>;

interface Place {
  readonly system: HpcSystem;
  readonly project: Project;
}

interface Touched {
  readonly user: string;
  readonly place: Place;
}

const places = catalog.systems.flatMap((system) =>
  system.projects.map(
    (project): Place => ({
      system,
      project: { ...project, maxLivingJobs },
    }),
  ),
);

const welcome = new Map(
  catalog.systems.map((system): [string, Amount] => {
    const { seconds, kilobytes } = system.welcomeQuota;
    return [defaultProject(system).name, { time: seconds, space: kilobytes }];
  }),
);

const by = '100001';
const reason = 'a step of a history';

/** Plays a history on a table, and holds the table against the model after every step. */
export class Player {
  readonly #table: Table;
  readonly #faults: Faults;
  readonly #model = new Model();
  readonly #ledgers: Ledgers;
  readonly #desk;
  readonly #jobs = new Map<string, Job>();
  readonly #submitted: { submission: Submission; key: string; jobId: string }[] = [];
  readonly #history: number;
  #now = new Date('2026-01-01T00:00:00.500Z');

  constructor(table: Table, faults: Faults, history: number) {
    this.#table = table;
    this.#faults = faults;
    this.#history = history;
    this.#ledgers = new Ledgers(table);
    this.#desk = { table, catalog, inputs: createMemoryFiles().inputs };
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      this.#now = new Date(this.#now.getTime() + 1000);
      for (const touched of await this.#take(step)) await this.#verify(touched);
    }
    for (const user of ['1', '22'].map((each) => this.#nameOf(each))) {
      for (const place of places) await this.#verify({ user, place });
    }
  }

  async #take(step: Step): Promise<Touched[]> {
    switch (step.act) {
      case 'submit':
        return this.#submit(step);
      case 'replay':
        return this.#replay(step);
      case 'end':
        return this.#end(step);
      case 'cancel':
        return this.#cancel(step);
      case 'cancel another user’s':
        return this.#cancelForeign(step);
      case 'end and cancel at once':
        return this.#race(step);
      case 'grant':
        return this.#grant(step);
      case 'remove':
        return this.#remove(step);
      case 'expire':
        return this.#expire(step);
      case 'prolong':
        return this.#prolong(step);
      case 'ban':
        return this.#ban(step);
      case 'unban':
        return this.#unban(step);
    }
  }

  async #submit(step: StepOf<'submit'>): Promise<Touched[]> {
    const user = this.#nameOf(step.user);
    const place = placeAt(step.project);
    const submission = buildSubmission(user, place, step);
    const key = step.key === null ? undefined : `key-${step.key}`;
    const used = this.#submitted.find((one) => one.key === key && one.submission.owner === user);
    if (used) return [{ user, place }];
    const submit = () => submitJob(this.#desk, submission, key, this.#now);
    const outcome = await this.#try(step.fault, submit);
    if (outcome instanceof CrashError) {
      // The client does not know, and asks again where it has a key to ask with.
      this.#learnWelcome(user, await this.#isWelcome(user));
      if (key === undefined) await this.#adoptJobs(user, place);
      else await this.#accept(user, place, submission, key, await this.#try(null, submit));
    } else await this.#accept(user, place, submission, key, outcome);
    return [{ user, place }];
  }

  async #accept(
    user: string,
    place: Place,
    submission: Submission,
    key: string | undefined,
    outcome: Awaited<ReturnType<typeof submitJob>> | Error,
  ): Promise<void> {
    if (!this.#model.account(user, place.project.name)) this.#model.welcome(user, welcome);
    const known = !(outcome instanceof Error) && this.#jobs.has(outcome.job.jobId);
    if (known) return;
    const hold = holdOf(submission);
    const refusal = this.#model.refuse(user, place.project.name, hold);
    if (outcome instanceof Error) {
      expect(outcome.name, outcome.stack).toBe(refusal);
      return;
    }
    expect(refusal).toBeUndefined();
    this.#keep(outcome.job);
    if (key !== undefined) this.#submitted.push({ submission, key, jobId: outcome.job.jobId });
  }

  /** The same request with the same key: the same job, whatever has become of the account. */
  async #replay(step: StepOf<'replay'>): Promise<Touched[]> {
    const first = pick(this.#submitted, step.submission);
    if (!first) return [];
    const { submission, key, jobId } = first;
    const send = () => submitJob(this.#desk, submission, key, this.#now);
    const outcome = await this.#try(step.fault, send);
    if (!(outcome instanceof CrashError)) {
      expect(outcome).toMatchObject({ repeated: true, job: { jobId } });
    }
    return [{ user: submission.owner, place: placeOfProject(submission.project.name) }];
  }

  async #end(step: StepOf<'end'>): Promise<Touched[]> {
    const job = pick(this.#model.jobs, step.job);
    if (!job) return [];
    const ranSeconds = step.share * job.hours * 3600;
    const end = { stage: 'DONE', failed: step.failed, endedAt: this.#now, ranSeconds };
    const run = () => endJob(this.#table, this.#recordOf(job), end, this.#now);
    const living = job.state === 'living';
    const outcome = await this.#try(step.fault, run);
    if (outcome instanceof CrashError) {
      // Another sweep takes the job up, and finds it ended or ends it.
      const again = await this.#try(null, run);
      if (again instanceof Error) expect(again).toBeInstanceOf(JobEndedError);
    } else if (!living) expect(outcome).toBeInstanceOf(JobEndedError);
    else expect(outcome).toBeUndefined();
    if (living) this.#model.settle(job, ranSeconds, 'ended');
    return [touchedBy(job)];
  }

  async #cancel(step: StepOf<'cancel'>): Promise<Touched[]> {
    const job = pick(this.#model.jobs, step.job);
    if (!job) return [];
    const run = () => this.#delete(job, job.user);
    const outcome = await this.#try(step.fault, run);
    if (outcome instanceof CrashError) {
      const { stage } = await findJob(this.#table, placeOf(this.#recordOf(job)), job.jobId);
      // A repeated cancel does no second thing; of an ended job it is the first one.
      if (job.state === 'living' && stage !== ownStages.canceled) await run();
      if (job.state === 'ended' && stage !== ownStages.deleted) await run();
    } else if (outcome instanceof Error) throw outcome;
    if (job.state === 'living') this.#model.settle(job, 0, 'cancelled');
    else if (job.state === 'ended') job.state = 'deleted';
    return [touchedBy(job)];
  }

  async #cancelForeign(step: StepOf<'cancel another user’s'>): Promise<Touched[]> {
    const job = pick(this.#model.jobs, step.job);
    if (!job) return [];
    const stranger = this.#nameOf(job.user.startsWith('1') ? '22' : '1');
    const outcome = await this.#try(null, () => this.#delete(job, stranger));
    expect(outcome).toMatchObject({ name: 'JobNotFoundError' });
    return [touchedBy(job)];
  }

  /** One of the two wins, and the account is settled by it alone. */
  async #race(step: StepOf<'end and cancel at once'>): Promise<Touched[]> {
    const job = pick(this.#model.jobs, step.job);
    if (job?.state !== 'living') return [];
    const ranSeconds = step.share * job.hours * 3600;
    const end = { stage: 'DONE', failed: false, endedAt: this.#now, ranSeconds };
    const [ended] = await Promise.allSettled([
      endJob(this.#table, this.#recordOf(job), end, this.#now),
      this.#delete(job, job.user),
    ]);
    const { stage } = await findJob(this.#table, placeOf(this.#recordOf(job)), job.jobId);
    if (ended.status === 'fulfilled') this.#model.settle(job, ranSeconds, 'ended');
    else this.#model.settle(job, 0, 'cancelled');
    if (stage === ownStages.deleted) job.state = 'deleted';
    return [touchedBy(job)];
  }

  async #grant(step: StepOf<'grant'>): Promise<Touched[]> {
    const user = this.#nameOf(step.user);
    const place = placeAt(step.project);
    const { project } = place;
    const mode = step.add ? 'add' : 'set';
    const amounts = { mode, seconds: step.time, kilobytes: step.space } as const;
    const order = { user, project, by, reason, change: { amounts } };
    const run = () => grantQuota(this.#table, catalog, order, this.#now);
    const outcome = await this.#try(step.fault, run);
    if (outcome instanceof CrashError) this.#learnWelcome(user, await this.#isWelcome(user));
    else if (!this.#model.account(user, project.name)) this.#model.welcome(user, welcome);
    const before = this.#model.account(user, project.name)?.granted ?? { time: 0, space: 0 };
    const after = step.add
      ? { time: before.time + step.time, space: before.space + step.space }
      : { time: step.time, space: step.space };
    const left = this.#model.left(user, project.name);
    const fits =
      left.time + after.time - before.time >= 0 && left.space + after.space - before.space >= 0;
    if (outcome instanceof CrashError) await this.#adoptGrant(user, place, after);
    else if (outcome instanceof Error)
      expect([outcome.name, fits]).toEqual(['QuotaInUseError', false]);
    else {
      expect(fits).toBe(true);
      this.#regrant(user, project.name, after);
    }
    return [{ user, place }];
  }

  async #remove(step: StepOf<'remove'>): Promise<Touched[]> {
    const user = this.#nameOf(step.user);
    const place = placeAt(step.project);
    const { project } = place;
    const run = () => removeQuota(this.#table, { user, project, by, reason }, this.#now);
    const held = this.#model.held(user, project.name);
    const outcome = await this.#try(step.fault, run);
    if (outcome instanceof CrashError) {
      if (!(await this.#read(user, place))) this.#model.close(user, project.name);
    } else if (!this.#model.account(user, project.name)) {
      expect(outcome).toMatchObject({ name: 'QuotaNotFoundError' });
    } else if (held.time > 0 || held.space > 0 || held.jobs > 0) {
      expect(outcome).toMatchObject({ name: 'QuotaInUseError' });
    } else {
      expect(outcome).not.toBeInstanceOf(Error);
      this.#model.close(user, project.name);
    }
    return [{ user, place }];
  }

  /** The end comes, and a sweep that may die takes back what is left; the next one finishes it. */
  async #expire(step: StepOf<'expire'>): Promise<Touched[]> {
    const user = this.#nameOf(step.user);
    const place = placeAt(step.project);
    const account = this.#model.account(user, place.project.name);
    if (!account || account.expired) return [];
    await this.#setEnd(user, place, new Date(this.#now.getTime() + 500));
    this.#now = new Date(this.#now.getTime() + 1000);
    const sweep = () => expireQuotas(this.#table, () => this.#now);
    await this.#try(step.fault, sweep);
    await sweep();
    this.#model.expire(user, place.project.name);
    return [{ user, place }];
  }

  async #prolong(step: StepOf<'prolong'>): Promise<Touched[]> {
    const user = this.#nameOf(step.user);
    const place = placeAt(step.project);
    const account = this.#model.account(user, place.project.name);
    if (!account) return [];
    await this.#setEnd(user, place, null);
    account.expired = false;
    return [{ user, place }];
  }

  async #setEnd(user: string, { project }: Place, validUntil: Date | null): Promise<void> {
    const order = { user, project, by, reason, change: { validUntil } };
    await grantQuota(this.#table, catalog, order, this.#now);
  }

  async #ban(step: StepOf<'ban'>): Promise<Touched[]> {
    const user = this.#nameOf(step.user);
    const place = placeAt(step.project);
    const { hpc, name: project } = place.project;
    const order = { user, by, reason, ...(step.everywhere ? {} : { place: { hpc, project } }) };
    const run = () => banUser(this.#table, catalog, order, this.#now);
    const first = await this.#try(step.fault, run);
    const outcome = first instanceof CrashError ? await this.#try(null, run) : first;
    this.#model.welcome(user, welcome);
    if (!step.everywhere && !this.#model.account(user, project)) {
      expect(outcome).toMatchObject({ name: 'QuotaNotFoundError' });
    } else {
      expect(outcome).not.toBeInstanceOf(Error);
      this.#model.bans.add(step.everywhere ? user : `${user} ${project}`);
    }
    return places.map((each) => ({ user, place: each }));
  }

  async #unban(step: StepOf<'unban'>): Promise<Touched[]> {
    const user = this.#nameOf(step.user);
    const place = placeAt(step.project);
    const { hpc, name: project } = place.project;
    const order = { user, by, reason, ...(step.everywhere ? {} : { place: { hpc, project } }) };
    const run = () => unbanUser(this.#table, order, this.#now);
    const first = await this.#try(step.fault, run);
    const outcome = first instanceof CrashError ? await this.#try(null, run) : first;
    if (!(outcome instanceof Error)) {
      this.#model.bans.delete(step.everywhere ? user : `${user} ${project}`);
    }
    return places.map((each) => ({ user, place: each }));
  }

  /** To the second, and with its ledger: the sum of its lines is what is left. */
  async #verify({ user, place }: Touched): Promise<void> {
    const { hpc, name: project } = place.project;
    const stored = await this.#read(user, place);
    const account = this.#model.account(user, project);
    expect(stored === undefined, `${user} in ${project}`).toBe(account === undefined);
    const { time, space, settled } = await this.#ledgers.sum(user, hpc, project);
    const left = this.#model.left(user, project);
    expect({ time, space }).toEqual(account ? left : { time: 0, space: 0 });
    for (const { jobId, state } of this.#model.jobsOf(user, project)) {
      expect(settled.get(jobId) ?? 0).toBe(state === 'living' ? 0 : 1);
    }
    if (!stored || !account) return;
    const held = this.#model.held(user, project);
    expect(stored.time).toEqual({
      granted: account.granted.time,
      left: left.time,
      held: held.time,
      used: account.used,
    });
    expect(stored.space).toEqual({
      granted: account.granted.space,
      left: left.space,
      held: held.space,
      used: 0,
    });
    expect(stored.livingJobs).toBe(held.jobs);
    expect(stored.bans).toEqual({
      ...(this.#model.bans.has(user) && { everywhere: reason }),
      ...(this.#model.bans.has(`${user} ${project}`) && { here: reason }),
    });
  }

  async #try<T>(fault: Parameters<Faults['run']>[0], action: () => Promise<T>): Promise<T | Error> {
    return this.#faults.run(fault, action).catch((error: Error) => error);
  }

  #delete(job: ModelJob, caller: string): Promise<Job> {
    const place = { ...placeOf(this.#recordOf(job)), owner: caller };
    return deleteJob(this.#table, place, job.jobId, this.#now);
  }

  #read(user: string, { project }: Place) {
    return readQuota(this.#table, { user, hpc: project.hpc, project: project.name });
  }

  async #isWelcome(user: string): Promise<boolean> {
    return (await this.#read(user, placeAt(0))) !== undefined;
  }

  #learnWelcome(user: string, welcomed: boolean): void {
    if (welcomed) this.#model.welcome(user, welcome);
  }

  /** What a dead submission without a key has left: a job, or nothing. */
  async #adoptJobs(user: string, { project }: Place): Promise<void> {
    const { Items = [] } = await this.#table.client.send(
      new QueryCommand({
        TableName: this.#table.name,
        KeyConditionExpression: 'PK = :user AND begins_with(SK, :jobs)',
        ExpressionAttributeValues: {
          ':user': `USER#${user}`,
          ':jobs': `JOB#${project.hpc}#${project.name}#`,
        },
        ConsistentRead: true,
      }),
    );
    for (const job of Items.map(jobFromItem)) if (!this.#jobs.has(job.jobId)) this.#keep(job);
  }

  async #adoptGrant(user: string, place: Place, after: Amount): Promise<void> {
    const stored = await this.#read(user, place);
    if (!stored) return;
    const found = { time: stored.time.granted, space: stored.space.granted };
    const before = this.#model.account(user, place.project.name)?.granted;
    expect([before, after]).toContainEqual(found);
    this.#regrant(user, place.project.name, found);
  }

  #regrant(user: string, project: string, granted: Amount): void {
    const account = this.#model.account(user, project);
    if (account) account.granted = granted;
    else this.#model.open(user, project, granted);
  }

  #keep(job: Job): void {
    this.#jobs.set(job.jobId, job);
    this.#model.jobs.push({
      jobId: job.jobId,
      user: job.owner,
      project: job.project.name,
      hold: { time: job.hold.seconds, space: job.hold.kilobytes },
      hours: job.runtime,
      state: 'living',
    });
  }

  #recordOf({ jobId }: ModelJob): Job {
    const job = this.#jobs.get(jobId);
    if (!job) throw new Error(`${jobId} is not known.`);
    return job;
  }

  /** Users are new in each history: accounts of two histories share nothing. */
  #nameOf(user: string): string {
    return `${user}${String(this.#history).padStart(8, '0')}`;
  }
}

function buildSubmission(owner: string, place: Place, step: StepOf<'submit'>): Submission {
  const { system, project } = place;
  const content = new Uint8Array(step.kilobytes * 1000);
  return {
    owner,
    system,
    project,
    program: 'NEURON',
    nodes: Math.min(step.nodes, system.limits.nodes),
    coresPerNode: 1,
    requestedRuntime: step.hours,
    title: '',
    extras: {},
    input: {
      fileName: 'a.zip',
      source: content.length === 0 ? { kind: 'none' } : { kind: 'inline', content, sha256: '' },
    },
  };
}

/** Written out once more, so that a wrong charge does not agree with itself. */
function holdOf({ system, nodes, requestedRuntime, input }: Submission): Amount {
  const hours = Math.min(requestedRuntime, system.grantableRuntime);
  const bytes = input.source.kind === 'inline' ? input.source.content.length : 0;
  return { time: Math.ceil(Number((nodes * hours * 3600).toFixed(6))), space: bytes / 1000 };
}

function placeAt(index: number): Place {
  const place = places[index];
  if (!place) throw new Error(`There is no project ${index}.`);
  return place;
}

function placeOfProject(name: string): Place {
  return placeAt(places.findIndex(({ project }) => project.name === name));
}

function touchedBy(job: ModelJob): Touched {
  return { user: job.user, place: placeOfProject(job.project) };
}

function pick<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)];
}
