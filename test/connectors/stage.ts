import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HpcSystem, StageWords } from '#lib/catalog/hpc-system.ts';
import type { KindTraits } from '#lib/catalog/kinds/system-kind.ts';
import { type KindName, systemKinds } from '#lib/catalog/kinds/system-kinds.ts';
import { jobId as nameJob, projectName, systemName, userId } from '#test/fixtures/names.ts';
import type { JobBody, Researcher } from '#test/slurm/researcher.ts';
import type { Death, Faults } from './faults.ts';
import { lasting } from './lasting.ts';
import type { Order, StagedJob, StagedSystem } from './staged-system.ts';
import { Sweeps } from './sweeps.ts';
import type { Lab } from './theatre.ts';
import type { JobSum, StagedTimeline } from './told.ts';

/** How long a scene waits for something at most. Only what hangs takes as long. */
const patienceSeconds = 120;

/** A dozen scenes ask at once. */
const pollMs = 250;

interface StageParts {
  readonly kind: KindName;
  readonly system: HpcSystem;
  readonly staged: StagedSystem;
  readonly ada: Researcher;
  readonly directory: string;
  readonly dataHost: string;
  readonly lab: Lab;
  /** Signs in somebody who is no member of anything yet. */
  signIn(user: string): Researcher;
  /** Makes somebody a member of the project. */
  welcome(user: string): Promise<void>;
  /** Makes somebody a leader of the project. */
  appoint(user: string): Promise<void>;
}

/** What a scene is played on: a service, one system for itself, and somebody who uses both. */
export class Stage {
  readonly kind: KindName;
  readonly system: StagedSystem;
  readonly words: StageWords;
  readonly traits: KindTraits;
  /** By HTTP. */
  readonly ada: Researcher;
  readonly sweeps: Sweeps;
  /** From where jobs may fetch inputs. */
  readonly dataHost: string;
  /** A bucket that jobs may fetch from and send to. */
  readonly lab: Lab;
  readonly #parts: StageParts;
  readonly #hpc: string;
  readonly #project: string;
  readonly #directory: string;
  readonly offersFolders: boolean;
  readonly #offersMemory: boolean;
  #jobs = 0;

  static async open(parts: StageParts): Promise<Stage> {
    return new Stage(parts, await Sweeps.open(parts.system, parts.staged));
  }

  private constructor(parts: StageParts, sweeps: Sweeps) {
    const { kind, system, staged, ada, directory, dataHost, lab } = parts;
    this.#parts = parts;
    this.kind = kind;
    this.system = staged;
    this.words = system.stages;
    this.traits = systemKinds[kind];
    this.ada = ada;
    this.sweeps = sweeps;
    this.dataHost = dataHost;
    this.lab = lab;
    this.#hpc = system.name;
    this.#project = system.projects[0].name;
    this.#directory = directory;
    this.offersFolders = system.keep !== undefined;
    this.#offersMemory = system.memoryPerNode !== undefined;
  }

  /** The same stage for somebody else: another member of the project, or a stranger. */
  async for(who: 'another member' | 'a leader' | 'a stranger'): Promise<Stage> {
    const user = `${who.length}${this.ada.user}`;
    if (who === 'another member') await this.#parts.welcome(user);
    if (who === 'a leader') await this.#parts.appoint(user);
    return new Stage({ ...this.#parts, ada: this.#parts.signIn(user) }, this.sweeps);
  }

  /** Asks for the folder of the project, or what is in it. */
  askForFolder(path = '', method = 'GET') {
    return this.ada.ask(`/folders/${this.#hpc}/${this.#project}/${path}`, method);
  }

  get faults(): Faults {
    return this.system.line.faults;
  }

  get account() {
    return {
      user: userId(this.ada.user),
      hpc: systemName(this.#hpc),
      project: projectName(this.#project),
    };
  }

  /** Hands one job over, while the sweeps are paused. */
  handOver({ jobId }: StagedJob): Promise<void> {
    return this.sweeps.handOver(this.account, nameJob(jobId));
  }

  handOverAndDie({ jobId }: StagedJob, death: Death): Promise<void> {
    return this.sweeps.handOverAndDie(this.account, nameJob(jobId), death);
  }

  /** Where a script leaves a trace that does not depend on any transfer. */
  place(name: string): string {
    return join(this.#directory, `${this.#hpc}-${name}`);
  }

  /** Tells a script that waits for this file to go on. */
  touch(file: string): void {
    writeFileSync(file, '');
  }

  /** Lets a job end that waits for this file, or that is simulated. */
  async letEnd(job: StagedJob, file: string): Promise<void> {
    if (this.system.letEnd) await this.system.letEnd(job);
    else this.touch(file);
  }

  /** Exchanges the input of a job in the storage, behind the back of the service. */
  async replaceInput({ jobId }: StagedJob, zip: Uint8Array): Promise<void> {
    const { inputs } = this.sweeps.files;
    const { readRequest } = await import('#lib/jobs/job-request.ts');
    const { findJob } = await import('#lib/jobs/job-store.ts');
    const { table } = this.sweeps;
    const request = await readRequest(table, await findJob(table, this.account, nameJob(jobId)));
    const key = request?.input.key;
    if (key === undefined) throw new Error(`${jobId} has no input.`);
    await inputs.put(key, zip);
  }

  /** Submits a script that marks each of its starts. */
  async submit(order: Order): Promise<StagedJob> {
    this.#jobs += 1;
    const mark = this.place(`mark-${this.ada.user}-${this.#jobs}`);
    const script = `umask 0; echo started >>'${mark}'\n${order.script}`;
    const { command, wishes } = this.system.write({ ...order, script });
    const { path, body } = await this.ada.submit(command, {
      hpc: this.#hpc,
      ...wishes,
      runtime: order.hours ?? wishes.runtime ?? lasting,
      fields: {
        ...(order.title !== undefined && { title: order.title }),
        ...(order.inputs && { inputs: order.inputs }),
        ...(order.outputs && { outputs: order.outputs }),
        ...(this.#offersMemory && order.memory !== undefined && { memory: order.memory }),
        ...wishes.fields,
      },
    });
    this.#marks.set(body.job_id, mark);
    return { jobId: body.job_id, path };
  }
  readonly #marks = new Map<string, string>();

  /** How often the script of a job was started. */
  async countStarts(job: StagedJob): Promise<number> {
    if (this.system.countStarts) return this.system.countStarts(job);
    const mark = this.#marks.get(job.jobId) ?? '';
    return existsSync(mark) ? readFileSync(mark, 'utf8').trim().split('\n').length : 0;
  }

  /** Asks until there is an answer. Fails by name if there is none in time. */
  async waitFor<T>(
    what: string,
    ask: () => Promise<T | undefined>,
    seconds = patienceSeconds,
  ): Promise<T> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      if (Date.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}.`);
      await sleep(pollMs);
    }
  }

  waitForStart(job: StagedJob, starts = 1): Promise<true> {
    return this.waitFor(`run ${starts} starts`, async () => {
      return (await this.countStarts(job)) >= starts || undefined;
    });
  }

  waitForStage(job: StagedJob, stage: string): Promise<JobBody> {
    return this.waitFor(`the job is ${stage}`, async () => {
      const body = await this.read(job);
      return body.stage === stage ? body : undefined;
    });
  }

  /** Waits until the system runs the job, and the service knows it. */
  async waitForRunning(job: StagedJob): Promise<void> {
    await this.waitForStart(job);
    await this.waitForStage(job, this.words.running);
  }

  /** Waits until the system has nothing of a job that runs or waits. */
  waitForSilence(job: StagedJob): Promise<true> {
    return this.waitFor('nothing of the job is active', async () => {
      return (await this.system.listActive(job)).length === 0 || undefined;
    });
  }

  waitForEnd(job: StagedJob, seconds?: number): Promise<JobBody> {
    return this.waitFor(
      'the job has ended',
      async () => {
        const body = await this.read(job);
        return body.terminal_stage ? body : undefined;
      },
      seconds,
    );
  }

  read(job: StagedJob): Promise<JobBody> {
    return this.ada.read(job.path);
  }

  readTimeline(job: StagedJob): Promise<StagedTimeline> {
    return this.ada.read(`${job.path}timeline/`);
  }

  async listNames(job: StagedJob): Promise<string[]> {
    return (await this.ada.listFiles(job.path)).map(({ filename }) => filename);
  }

  /** Reads a result by its name. */
  async readFile(job: StagedJob, name: string): Promise<Buffer> {
    const files = await this.ada.listFiles(job.path);
    const file = files.find(({ filename }) => filename === name);
    if (!file) throw new Error(`There is no ${name} among: ${files.map((f) => f.filename)}`);
    // A busy service asks to try again.
    return this.waitFor('the file is sent', () =>
      this.ada.fetchFile(job.path, file.fileid).catch((error: unknown) => {
        if (/urn:slipway:problem:(timeout|too-many-downloads)"/.test(String(error)))
          return undefined;
        throw error;
      }),
    );
  }

  async readText(job: StagedJob, name: string): Promise<string> {
    const { streams = { stdout: 'stdout', stderr: 'stderr' } } = this.system;
    const known = name === 'stdout' || name === 'stderr' ? streams[name] : name;
    return (await this.readFile(job, known)).toString();
  }

  /** The seconds that a job was charged, once it is settled. */
  async waitForCharge(job: StagedJob): Promise<number> {
    const ledger = `/quotas/${this.#hpc}/${this.#project}/ledger/`;
    return this.waitFor('the job is settled', async () => {
      const lines = await this.ada.read<{ kind: string; job_id?: string }[]>(ledger);
      const settled = lines.filter((line) => line.kind === 'settle' && line.job_id === job.jobId);
      if (settled.length === 0) return undefined;
      if (settled.length > 1) throw new Error(`${job.jobId} was settled twice.`);
      const sums = await this.ada.read<JobSum[]>(`${ledger}?sum=job`);
      return sums.find(({ job_id }) => job_id === job.jobId)?.used.time;
    });
  }

  /** Lets time pass that a scene is about. */
  async passSeconds(seconds: number): Promise<void> {
    await sleep(seconds * 1000);
  }

  /** Deletes an ended job, or one that was cancelled. */
  async remove(job: StagedJob): Promise<void> {
    await this.waitFor('the job is deleted', async () => {
      const { stage } = await this.ada.cancel(`${job.path}?only=delete`);
      return stage === 'DELETED' || undefined;
    });
  }

  async close(): Promise<void> {
    await this.sweeps.close();
  }
}
