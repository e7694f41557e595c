import type { JobId, SystemName } from '#lib/catalog/identifiers.ts';
import { SystemUnavailableError } from '../errors.ts';
import type { LimitLevel } from './job-folder.ts';

/** The machine that this process runs on, as a place for jobs. */
export interface ThisMachine extends MachineFacts {
  /** Starts the program that runs the job of a folder and outlives this process. */
  startShepherd(folder: string): Promise<{ readonly ended: Promise<void> }>;
  /** Called if a job could not be started, which nobody waits for. */
  reportFailure(error: unknown): void;
  /** Says which tools have their programs installed. */
  listTools(
    tools: Readonly<Record<string, string>>,
  ): { readonly name: string; readonly available: boolean }[];
  /** Removes the files of a job that is deleted. A job that still runs is ended first. */
  removeJob(hpc: SystemName, jobId: JobId): Promise<void>;
}

/** Plain data, which can be sent to another thread. */
export interface MachineFacts {
  /** Holds a folder for each job: `<system>/<job id>`. */
  readonly directory: string;
  /** Folders that jobs in a sandbox must not see. */
  readonly hidden: readonly string[];
  readonly cores: number;
  readonly memoryBytes: number;
  /** The cores of systems that may not use all of them. */
  readonly systemCores: ReadonlyMap<string, number>;
  /** How memory and processes of jobs are limited, with a sentence for people. */
  readonly limits: { readonly level: LimitLevel; readonly sentence: string };
  /** PATH of jobs. */
  readonly path: string;
}

let offered: ThisMachine | undefined;

/** Lets this process run jobs on its own machine; only the laptop edition does. */
export function offerMachine(machine?: ThisMachine): void {
  offered = machine;
}

/** Returns undefined if this process does not run jobs itself. */
export function findMachine(): ThisMachine | undefined {
  return offered;
}

export function thisMachine(): ThisMachine {
  if (offered) return offered;
  throw new SystemUnavailableError(
    'Only the laptop edition (npm start) runs jobs on its own machine.',
  );
}
