import type { FakeJob } from '#test/slurm/fake-jobs.ts';
import type { SubmittedBody } from '#test/slurm/fake-slurmrestd.ts';
import type { MarkedRun } from './marked-run.ts';

/** A job of an imitated Slurm, with moments in milliseconds. */
export interface RunningJob {
  readonly id: number;
  readonly body: SubmittedBody;
  readonly user: string | null;
  state: string;
  /** Slurm's word for the end that is under way. */
  ending: string | undefined;
  start: number | undefined;
  end: number | undefined;
  exit: { readonly code: number; readonly signal: number };
  restarts: number;
  suspendedAt: number | undefined;
  suspendedMs: number;
  run: MarkedRun | undefined;
}

/** Measuring takes time, so that only jobs are measured that ask for less than their share of a node. */
export const isSmall = (mebibytes: number | undefined): mebibytes is number =>
  mebibytes !== undefined && mebibytes < 200;

export const isOver = (state: string) =>
  ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT', 'OUT_OF_MEMORY'].includes(state);

export function ranMs({ start = 0, suspendedMs, suspendedAt }: RunningJob): number {
  return (suspendedAt ?? Date.now()) - start - suspendedMs;
}

const toSeconds = (ms: number | undefined) =>
  ms === undefined ? undefined : Math.floor(ms / 1000);

/** Describes a job as the queue and the accounting show it, in whole seconds. */
export function describeJob(job: RunningJob): FakeJob {
  const { id, body, user, state, restarts, suspendedAt, exit } = job;
  const start = toSeconds(job.start);
  const end = toSeconds(job.end);
  const since = toSeconds(suspendedAt);
  return {
    id,
    name: body.job.name,
    user,
    states: [state],
    code: exit.code,
    signal: exit.signal,
    restarts,
    minutes: body.job.time_limit,
    suspended: Math.floor(job.suspendedMs / 1000),
    ...(since !== undefined && { suspendedAt: since }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(state === 'FAILED' && { reason: 'NonZeroExitCode' }),
    ...(state === 'TIMEOUT' && { reason: 'TimeLimit' }),
  };
}

/** Replaces an item of a list, or adds it. */
export function put<T>(list: T[], item: T, isSame: (other: T) => boolean): void {
  const place = list.findIndex(isSame);
  if (place < 0) list.push(item);
  else list[place] = item;
}
