import * as v from 'valibot';
import { countSweepRuns, type HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import { type Connector, isSystemFault } from '#lib/hpc/connector.ts';
import type { Visit } from '#lib/hpc/open/open-connector.ts';
import type { Table } from '#lib/table/table.ts';
import { logger } from '#lib/telemetry/logger.ts';
import { beginRun, type TimeLeft } from '#lib/time/time-left.ts';
import type { Job } from '../../job.ts';
import type { JobLife } from '../../life/job-life.ts';

/** One round of looking after the jobs of one system. */
export interface Sweep extends TimeLeft {
  readonly table: Table;
  readonly files: JobFiles;
  readonly system: HpcSystem;
  readonly connector: Connector;
  /** Where a job that is handed over now finds its files. */
  readonly addressesOf: (job: Job, at: Date) => JobAddresses;
  readonly now: () => Date;
  /** Brings jobs back whose moment was written before the clock was set back. */
  readonly recover?: (
    sweep: Sweep,
    run: Run,
    noteFailure: (error: unknown) => void,
  ) => Promise<void>;
}

/** For a job that moves its files itself; each is good for as long as the job lives. */
export interface JobAddresses {
  readonly input: string;
  readonly output: string;
  readonly results: string;
}

/** Begins nothing more when its time is over, or its system is not to be called any more. */
export function beginSweep(
  stores: Pick<Sweep, 'table' | 'files' | 'addressesOf' | 'recover'>,
  system: HpcSystem,
  { connector, isPaused }: Visit,
  leftMs: () => number,
): Sweep {
  const time = beginRun(leftMs);
  const isOver = () => time.isOver() || isPaused();
  return { ...stores, system, connector, now: () => new Date(), leftMs, isOver };
}

/** A mistake in a connector is logged: it must not just look like a system that is down. */
export async function isHealthy(connector: Connector, hpc: string): Promise<boolean> {
  try {
    await connector.checkHealth();
    return true;
  } catch (error) {
    if (!isSystemFault(error)) logger.error('health check failed', { hpc, error });
    return false;
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

/** What the clock tells the function that follows jobs: which system it is for, and which run. */
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

/** A job with its life, as both were read. */
export interface ActiveJob {
  readonly job: Job;
  readonly life: JobLife;
}
