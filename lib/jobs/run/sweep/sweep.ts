import * as v from 'valibot';
import { countSweepRuns, type HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import { type CheckOutcome, judgeAnswer } from '#lib/hpc/breaker/system-days.ts';
import { type Connector, isSystemFault } from '#lib/hpc/connector.ts';
import type { Visit } from '#lib/hpc/open/open-connector.ts';
import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';
import type { Table } from '#lib/table/table.ts';
import { logger } from '#lib/telemetry/logger.ts';
import { beginRun, type TimeLeft } from '#lib/time/time-left.ts';
import type { Job } from '../../job.ts';
import type { JobLife } from '../../life/job-life.ts';

/** One round of checks and hand-overs for the jobs of one system. */
export interface Sweep extends TimeLeft {
  readonly table: Table;
  readonly files: JobFiles;
  readonly system: HpcSystem;
  readonly connector: Connector;
  /** When the system takes no jobs. */
  readonly windows: readonly MaintenanceWindow[];
  /** Makes the URLs at which a job that is handed over now finds its files. */
  readonly addressesOf: (job: Job, at: Date) => JobAddresses;
  readonly now: () => Date;
  /** Brings back jobs whose due time was written before the clock was set back. */
  readonly recover?: (
    sweep: Sweep,
    run: Run,
    noteFailure: (error: unknown) => void,
  ) => Promise<void>;
}

/** URLs for a job that moves its files itself. Each is valid while the job is active. */
export interface JobAddresses {
  readonly script: string;
  /** For the array that the job is a task of. */
  readonly array: string;
  readonly input: string;
  readonly output: string;
  readonly results: string;
  /** For objects in buckets that the job fetches or sends. */
  readonly fetch: string;
  readonly send: string;
}

/** Starts a sweep. It begins nothing more once its time is up or its system must not be called. */
export function beginSweep(
  stores: Pick<Sweep, 'table' | 'files' | 'addressesOf' | 'recover'>,
  system: HpcSystem,
  { connector, isPaused, maintenance: { windows } }: Visit,
  leftMs: () => number,
): Sweep {
  const time = beginRun(leftMs);
  const isOver = () => time.isOver() || isPaused();
  return { ...stores, system, connector, windows, now: () => new Date(), leftMs, isOver };
}

/** For how long the outcome of a check stands. Afterwards an answer to any call means `up`. */
const outcomeMs = 50_000;

/**
 * Returns a function that tells how a system is. It asks the system only if nothing else has proved
 * lately that it is up: on a laptop sweeps run twice a second, and every check of a job is a proof.
 * A failing system is asked each time, because a check is the trial that its breaker waits for.
 */
export function createHealthCheck(elapsedMs = () => performance.now()) {
  const checked = new Map<string, { readonly outcome: CheckOutcome; readonly atMs: number }>();
  return async ({ connector, isKnownUp }: Visit, hpc: string): Promise<CheckOutcome> => {
    if (!isKnownUp()) {
      const outcome = await checkSystem(connector, hpc);
      checked.set(hpc, { outcome, atMs: elapsedMs() });
      return outcome;
    }
    const last = checked.get(hpc);
    const isRecent = last !== undefined && elapsedMs() - last.atMs < outcomeMs;
    return isRecent && last.outcome !== 'down' ? last.outcome : 'up';
  };
}

/** Logs a bug in a connector, so that it does not just look like a system that is down. */
async function checkSystem(connector: Connector, hpc: string): Promise<CheckOutcome> {
  const began = performance.now();
  try {
    await connector.checkHealth();
    return judgeAnswer(performance.now() - began);
  } catch (error) {
    if (!isSystemFault(error)) logger.error('health check failed', { hpc, error });
    return 'down';
  }
}

/** One of the runs that share the jobs of a system. */
export interface Run {
  readonly number: number;
  readonly of: number;
}

export const onlyRun: Run = { number: 0, of: 1 };

const SweepCall = v.object({
  hpc: v.string(),
  run: v.optional(v.object({ number: v.number(), of: v.number() }), onlyRun),
});

/** The scheduled event for the function that follows jobs: which system, and which run. */
export type SweepCall = v.InferOutput<typeof SweepCall>;

export function parseSweepCall(event: unknown): SweepCall {
  return v.parse(SweepCall, event);
}

export function listSweepCalls(systems: readonly HpcSystem[]): SweepCall[] {
  return systems.flatMap((system) => {
    const of = countSweepRuns(system);
    return Array.from({ length: of }, (_, number) => ({ hpc: system.name, run: { number, of } }));
  });
}

export interface ActiveJob {
  readonly job: Job;
  readonly life: JobLife;
}
