import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeRunner, FakeSlurmrestd, SubmittedBody } from '#test/slurm/fake-slurmrestd.ts';
import { type RunEnd, startMarked } from './marked-run.ts';
import { describeJob, isOver, isSmall, put, type RunningJob, ranMs } from './slurm-records.ts';

/** Slurm's words for ends after which the job starts again. */
const startsAgain = ['REQUEUED', 'NODE_FAIL', 'PREEMPTED'] as const;
type Restart = (typeof startsAgain)[number];

export interface RunnerOptions {
  /** How long a minute of a time limit takes. */
  readonly minuteSeconds?: number;
  /** How long a script has from TERM to KILL. */
  readonly killWaitMs?: number;
}

const tickMs = 100;
const launchMs = 60;

/** Runs the scripts that an imitated slurmrestd is sent, and keeps its queue and accounting. */
export class SlurmRunner implements FakeRunner {
  /** While it is true, jobs stay in the queue. */
  isHolding = false;
  readonly #fake: FakeSlurmrestd;
  readonly #minuteSeconds: number;
  readonly #killWaitMs: number;
  readonly #jobs = new Map<number, RunningJob>();
  readonly #spool = mkdtempSync(join(tmpdir(), 'slipway-slurmd-'));
  readonly #clock: NodeJS.Timeout;

  constructor(
    fake: FakeSlurmrestd,
    { minuteSeconds = 60, killWaitMs = 30_000 }: RunnerOptions = {},
  ) {
    this.#fake = fake;
    this.#minuteSeconds = minuteSeconds;
    this.#killWaitMs = killWaitMs;
    this.#clock = setInterval(() => this.#tick(), tickMs);
  }

  take(id: number, body: SubmittedBody, user: string | null): void {
    this.#jobs.set(id, {
      id,
      body,
      user,
      state: 'PENDING',
      ending: undefined,
      start: undefined,
      end: undefined,
      exit: { code: 0, signal: 0 },
      restarts: 0,
      suspendedAt: undefined,
      suspendedMs: 0,
      run: undefined,
    });
    this.#launchSoon(id);
  }

  cancel(id: number): void {
    const job = this.#jobs.get(id);
    if (!job || isOver(job.state)) return;
    if (job.run) {
      this.#stop(job, 'CANCELLED');
    } else {
      job.state = 'CANCELLED';
      job.end = Date.now();
      this.#show(job);
    }
  }

  release(): void {
    this.isHolding = false;
    for (const { id, state } of this.#jobs.values()) if (state === 'PENDING') this.#launchSoon(id);
  }

  /** As `scontrol requeue` does, or the failure of a node. A lost node gives no time to a script. */
  startAgain(id: number, why: Restart): void {
    const job = this.#find(id);
    this.#stop(job, why, why === 'NODE_FAIL' ? 0 : this.#killWaitMs);
  }

  suspend(id: number): void {
    const job = this.#find(id);
    job.run?.signalAll('SIGSTOP');
    job.suspendedAt = Date.now();
    job.state = 'SUSPENDED';
    this.#show(job);
  }

  resume(id: number): void {
    const job = this.#find(id);
    job.suspendedMs += Date.now() - (job.suspendedAt ?? Date.now());
    job.suspendedAt = undefined;
    job.state = 'RUNNING';
    job.run?.signalAll('SIGCONT');
    this.#show(job);
  }

  /** The processes of all jobs with this name, and those that wait, by their numbers. */
  listActive(name: string): string[] {
    return [...this.#jobs.values()]
      .filter(({ body }) => body.job.name === name)
      .flatMap(({ id, state, run }) => [
        ...(isOver(state) ? [] : [`job ${id}`]),
        ...(run?.listPids() ?? []).map((pid) => `process ${pid}`),
      ]);
  }

  findNumber(name: string): number | undefined {
    return [...this.#jobs.values()].find(({ body }) => body.job.name === name)?.id;
  }

  close(): void {
    clearInterval(this.#clock);
    for (const { run } of this.#jobs.values()) run?.signalAll('SIGKILL');
    rmSync(this.#spool, { recursive: true, force: true });
  }

  #find(id: number): RunningJob {
    const job = this.#jobs.get(id);
    if (!job?.run) throw new Error(`Job ${id} does not run.`);
    return job;
  }

  #launchSoon(id: number): void {
    setTimeout(() => {
      const job = this.#jobs.get(id);
      if (job?.state === 'PENDING' && !job.run && !this.isHolding) this.#launch(job);
    }, launchMs);
  }

  #launch(job: RunningJob): void {
    const {
      environment,
      current_working_directory: directory,
      standard_output: log,
    } = job.body.job;
    const file = join(this.#spool, `${job.id}-${job.restarts}.sh`);
    writeFileSync(file, job.body.script);
    job.state = 'RUNNING';
    job.start = Date.now();
    job.run = startMarked({
      argv: ['/bin/bash', file],
      directory,
      environment: {
        ...environment,
        SLURM_JOB_ID: String(job.id),
        ...(job.restarts > 0 && { SLURM_RESTART_COUNT: String(job.restarts) }),
      },
      ...(log !== undefined && { logFile: log }),
    });
    this.#show(job);
    void job.run.ended.then((end) => this.#finish(job, end));
  }

  #finish(job: RunningJob, { code, signal }: RunEnd): void {
    const isKilled = signal !== undefined && job.ending === undefined;
    job.end = Date.now();
    job.exit = { code, signal: signal === undefined ? 0 : constants.signals[signal] };
    job.state = job.ending ?? (code === 0 && !isKilled ? 'COMPLETED' : 'FAILED');
    job.run = undefined;
    const isRestart = startsAgain.some((word) => word === job.state);
    this.#show(job);
    if (!isRestart) return;
    Object.assign(job, {
      state: 'PENDING',
      ending: undefined,
      start: undefined,
      end: undefined,
      exit: { code: 0, signal: 0 },
      suspendedMs: 0,
    });
    job.restarts += 1;
    this.#show(job);
    this.#launchSoon(job.id);
  }

  #stop(job: RunningJob, ending: string, graceMs = this.#killWaitMs): void {
    const { run } = job;
    if (!run || job.ending !== undefined) return;
    job.ending = ending;
    job.state = 'COMPLETING';
    this.#show(job);
    if (graceMs > 0) run.signalAll('SIGTERM');
    // A stopped process handles TERM only when it goes on.
    if (graceMs > 0) run.signalAll('SIGCONT');
    setTimeout(() => run.signalAll('SIGKILL'), graceMs).unref();
  }

  #tick(): void {
    for (const job of this.#jobs.values()) {
      const { run, body, state } = job;
      if (!run || state !== 'RUNNING') continue;
      const { time_limit: minutes, memory_per_node: mebibytes } = body.job;
      if (minutes !== undefined && ranMs(job) > minutes * this.#minuteSeconds * 1000) {
        this.#stop(job, 'TIMEOUT');
      } else if (isSmall(mebibytes) && run.measureBytes() > mebibytes * 1_048_576) {
        this.#stop(job, 'OUT_OF_MEMORY', 0);
      }
    }
  }

  /** Shows a job in the queue, and its run in the accounting once it has one. */
  #show(job: RunningJob): void {
    const shown = describeJob(job);
    put(this.#fake.queue, shown, ({ id }) => id === job.id);
    if (job.start === undefined) return;
    // Whoever reads the accounting tells the first run from others by these figures.
    const used = { cpu: job.restarts === 0 ? 10 : 0.1, memory: 10_000_000 };
    const accounted = { ...shown, ...(job.end !== undefined && { used }) };
    put(
      this.#fake.accounted,
      accounted,
      ({ id, restarts }) => id === job.id && restarts === job.restarts,
    );
  }
}
