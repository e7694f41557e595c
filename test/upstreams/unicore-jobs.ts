import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type MarkedRun, startMarked } from '../connectors/imitations/marked-run.ts';

export interface JobDescription {
  readonly Tags?: readonly string[];
  readonly Executable?: string;
  readonly Arguments?: readonly string[];
  readonly Imports?: readonly { readonly To: string; readonly Data: string }[];
  readonly Resources?: Readonly<Record<string, string>>;
  readonly haveClientStageIn?: string;
  readonly [name: string]: unknown;
}

/** A run as the batch system counts it. Moments are milliseconds. */
export interface CountedRun {
  readonly startedAt: number;
  endedAt?: number;
  suspendedMs: number;
  isLost: boolean;
}

export interface UnicoreServerJob {
  readonly id: string;
  /** What was sent to create it. */
  readonly description: JobDescription;
  /** Its working directory on disk. */
  readonly directory: string;
  readonly submittedAt: Date;
  /** From when on the working directory can be used. */
  readonly readyAt: number;
  starts: number;
  status: string;
  statusMessage: string;
  exitCode: string | undefined;
  /** The account that was asked for. */
  readonly account: string | undefined;
  /** Properties over those that the job has. */
  properties: Record<string, unknown>;
  /** Slurm's word, once the batch system has the job. */
  batchState: string | undefined;
  /** What the batch system says instead of its own text. */
  details: string | undefined;
  readonly runs: CountedRun[];
  run: MarkedRun | undefined;
  suspendedAt: number | undefined;
  ending: string | undefined;
}

export interface UnicoreJobsOptions {
  /** False to leave jobs in the queue. */
  readonly runsJobs?: boolean;
  /** How long the directory of a new job is INITIALIZING. */
  readonly storageDelayMs?: number;
  /** How long a minute of a time limit takes. */
  readonly minuteSeconds?: number;
  /** How long a job has from TERM to KILL. */
  readonly killWaitMs?: number;
}

const mostNodes = 4;
const tickMs = 100;
const launchMs = 60;
const limitBytes = 150_000_000;

/** The jobs of an imitated UNICORE with a Slurm behind it, which runs them with bash. */
export class UnicoreJobs {
  readonly all = new Map<string, UnicoreServerJob>();
  /** While it is true, jobs stay in the queue. */
  isHolding: boolean;
  /** Whether jobs that use more than 150 megabytes are ended. */
  limitsMemory = false;
  readonly #options: Required<UnicoreJobsOptions>;
  readonly #root = mkdtempSync(join(tmpdir(), 'slipway-uspaces-'));
  readonly #clock: NodeJS.Timeout;

  constructor({
    runsJobs = true,
    storageDelayMs = 30,
    minuteSeconds = 60,
    killWaitMs = 30_000,
  }: UnicoreJobsOptions) {
    this.#options = { runsJobs, storageDelayMs, minuteSeconds, killWaitMs };
    this.isHolding = !runsJobs;
    this.#clock = setInterval(() => this.#tick(), tickMs);
  }

  create(id: string, description: JobDescription, account: string | undefined): UnicoreServerJob {
    const waits = description.haveClientStageIn === 'true';
    const job: UnicoreServerJob = {
      id,
      description,
      account,
      directory: join(this.#root, id),
      submittedAt: new Date(),
      readyAt: Date.now() + this.#options.storageDelayMs,
      starts: 0,
      status: 'READY',
      statusMessage: '',
      exitCode: undefined,
      properties: {},
      batchState: undefined,
      details: undefined,
      runs: [],
      run: undefined,
      suspendedAt: undefined,
      ending: undefined,
    };
    this.all.set(id, job);
    mkdirSync(job.directory, { mode: 0o750 });
    for (const { To, Data } of description.Imports ?? []) this.write(job, To, Data);
    if (!waits) this.#enqueue(job);
    return job;
  }

  write({ directory }: UnicoreServerJob, path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content, { mode: 0o600 });
  }

  start(job: UnicoreServerJob): void {
    job.starts += 1;
    if (job.status === 'READY') this.#enqueue(job);
  }

  /** UNICORE calls it ended at once, and the batch system takes its time. */
  abort(job: UnicoreServerJob): void {
    if (isOver(job.status)) return;
    job.status = 'FAILED';
    job.statusMessage = 'Job aborted.';
    if (job.run) this.#stop(job, 'CANCELLED');
    else if (job.batchState !== undefined) job.batchState = 'CANCELLED';
  }

  remove(job: UnicoreServerJob): void {
    this.all.delete(job.id);
    job.run?.signalAll('SIGKILL');
    rmSync(job.directory, { recursive: true, force: true });
  }

  release(): void {
    this.isHolding = false;
    for (const job of this.all.values()) if (job.status === 'QUEUED') this.#launchSoon(job);
  }

  /** An administrator requeues a job, or a node fails and the batch system starts the job again. */
  startAgain(job: UnicoreServerJob, why: 'REQUEUED' | 'NODE_FAIL'): void {
    this.#stop(job, why, why === 'NODE_FAIL' ? 0 : this.#options.killWaitMs);
  }

  suspend(job: UnicoreServerJob): void {
    job.run?.signalAll('SIGSTOP');
    job.suspendedAt = Date.now();
    job.batchState = 'SUSPENDED';
  }

  resume(job: UnicoreServerJob): void {
    const run = job.runs.at(-1);
    if (run) run.suspendedMs += Date.now() - (job.suspendedAt ?? Date.now());
    job.suspendedAt = undefined;
    job.batchState = 'RUNNING';
    job.run?.signalAll('SIGCONT');
  }

  close(): void {
    clearInterval(this.#clock);
    const jobs = [...this.all.values()];
    // Whoever ends from now on writes nothing any more.
    this.all.clear();
    for (const job of jobs) job.run?.signalAll('SIGKILL');
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Resources are checked only now, after the description was accepted. */
  #enqueue(job: UnicoreServerJob): void {
    const { Nodes = '1' } = job.description.Resources ?? {};
    if (Number(Nodes) > mostNodes) {
      job.status = 'FAILED';
      job.statusMessage = `Processing failed: eu.unicore.xnjs.ems.ExecutionException: Resource request <Nodes=${Nodes}> is out of range. (Invalid resource request)`;
      return;
    }
    job.status = 'QUEUED';
    job.batchState = 'PENDING';
    this.#launchSoon(job);
  }

  #launchSoon(job: UnicoreServerJob): void {
    setTimeout(() => {
      if (this.isHolding || job.status !== 'QUEUED' || !this.all.has(job.id)) return;
      this.#launch(job);
    }, launchMs);
  }

  #launch(job: UnicoreServerJob): void {
    const { Executable = 'true', Arguments = [] } = job.description;
    job.status = 'RUNNING';
    job.batchState = 'RUNNING';
    const restarts = job.runs.length;
    job.runs.push({ startedAt: Date.now(), suspendedMs: 0, isLost: false });
    job.run = startMarked({
      // Joined by blanks and not quoted, as the real one does.
      argv: ['/bin/bash', '-c', [Executable, ...Arguments].join(' ')],
      directory: job.directory,
      environment: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        ...(restarts > 0 && { SLURM_RESTART_COUNT: String(restarts) }),
      },
      logFile: join(job.directory, 'stdout'),
    });
    void job.run.ended.then(({ code, signal }) => this.#finish(job, signal ? 137 : code));
  }

  #finish(job: UnicoreServerJob, code: number): void {
    const run = job.runs.at(-1);
    if (!run) return;
    run.endedAt = Date.now();
    job.run = undefined;
    const word = job.ending ?? (code === 0 ? 'COMPLETED' : 'FAILED');
    job.ending = undefined;
    job.batchState = word;
    if (word === 'REQUEUED' || word === 'NODE_FAIL') {
      run.isLost = word === 'NODE_FAIL';
      job.status = 'QUEUED';
      job.batchState = 'PENDING';
      this.#launchSoon(job);
      return;
    }
    if (isOver(job.status) || !this.all.has(job.id)) return;
    this.write(job, 'UNICORE_SCRIPT_EXIT_CODE', `${code}\n`);
    job.exitCode = String(code);
    job.status = code === 0 ? 'SUCCESSFUL' : 'FAILED';
    if (code === 0) return;
    const where = `More information might be available in the job's working directory '${job.directory}/'`;
    job.statusMessage = `User application exited with non-zero exit code: <${code}>. ${where}`;
  }

  #stop(job: UnicoreServerJob, ending: string, graceMs = this.#options.killWaitMs): void {
    const { run } = job;
    if (!run || job.ending !== undefined) return;
    job.ending = ending;
    job.batchState = 'COMPLETING';
    if (graceMs > 0) run.signalAll('SIGTERM');
    // A stopped process handles TERM only when it goes on.
    if (graceMs > 0) run.signalAll('SIGCONT');
    setTimeout(() => run.signalAll('SIGKILL'), graceMs).unref();
  }

  #tick(): void {
    for (const job of this.all.values()) {
      const run = job.runs.at(-1);
      if (!job.run || !run || job.batchState !== 'RUNNING') continue;
      const minutes = Number(job.description.Resources?.Runtime ?? 3600) / 60;
      if (ranMs(run) > minutes * this.#options.minuteSeconds * 1000) this.#stop(job, 'TIMEOUT');
      else if (this.limitsMemory && job.run.measureBytes() > limitBytes) {
        this.#stop(job, 'OUT_OF_MEMORY', 0);
      }
    }
  }
}

export function isOver(status: string): boolean {
  return status === 'SUCCESSFUL' || status === 'FAILED';
}

function ranMs({ startedAt, endedAt = Date.now(), suspendedMs }: CountedRun): number {
  return endedAt - startedAt - suspendedMs;
}

export function countSeconds(run: CountedRun): number {
  return Math.floor(ranMs(run) / 1000);
}

/** The text of `scontrol show job`, as far as anybody reads it. */
export function writeDetails({ batchState, runs }: UnicoreServerJob): string {
  if (batchState === undefined) return 'N/A';
  const last = runs.at(-1);
  const seconds = last ? countSeconds(last) : 0;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const runTime = parts.map((part) => String(part).padStart(2, '0')).join(':');
  const restarts = Math.max(0, runs.length - 1);
  return [
    'JobId=4711 JobName=job',
    `   JobState=${batchState} Reason=None Dependency=(null)`,
    `   Requeue=1 Restarts=${restarts} BatchFlag=1 Reboot=0 ExitCode=0:0`,
    `   RunTime=${runTime} TimeLimit=01:00:00 TimeMin=N/A`,
  ].join('\n');
}
