import { type HpcSystem, runsAsOwner } from '#lib/catalog/hpc-system.ts';
import type { JobId, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { openProvided } from '#lib/outbound/in-process.ts';
import type { FilePage, PageWish, RemoteFile } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import type { FilesPlace } from './files/file-ids.ts';
import type { LimitLevel } from './record/job-folder.ts';

/** The machine that this process runs on, as a place for jobs. */
export interface ThisMachine extends MachineFacts {
  /** Starts the program that runs the job of a folder and outlives this process. */
  startShepherd(folder: string): Promise<{ readonly ended: Promise<void> }>;
  /** Called if a job could not be started, which nobody waits for. */
  reportFailure(error: unknown): void;
  /** Says which tools of a system have their programs installed, where its jobs can see them. */
  listTools(system: HpcSystem): { readonly name: string; readonly available: boolean }[];
  /** Lists the files in the folder of a job where nobody waits for it, each owner in turn. */
  listFiles(owner: UserId, folder: string): Promise<readonly RemoteFile[]>;
  /** Lists a page of them likewise. */
  listPage(owner: UserId, place: FilesPlace, wish: PageWish): Promise<FilePage>;
  /** Removes the files of a job that is deleted. A job that still runs is ended first. */
  removeJob(hpc: SystemName, jobId: JobId): Promise<void>;
}

/** Plain data, which can be sent to another thread. */
export interface MachineFacts {
  /** Holds a folder for each job: `<system>/<job id>`. */
  readonly directory: string;
  /** Whether jobs run in a sandbox unless the catalog says otherwise. */
  readonly sandboxesAll: boolean;
  readonly cores: number;
  readonly memoryBytes: number;
  /** The cores of systems that may not use all of them. */
  readonly systemCores: ReadonlyMap<string, number>;
  /** How memory and processes of jobs are limited, with a sentence for people. */
  readonly limits: { readonly level: LimitLevel; readonly sentence: string };
  /** PATH of jobs. */
  readonly path: string;
}

/**
 * True if the jobs of a system run in a sandbox: by the catalog, or because several people submit
 * jobs that would all run as the account of the service.
 */
export function runsInSandbox(
  system: HpcSystem,
  { sandboxesAll }: Pick<MachineFacts, 'sandboxesAll'>,
): boolean {
  const { connector } = system;
  if (connector.kind !== 'machine') return false;
  const usual = sandboxesAll && !runsAsOwner(system) ? 'bubblewrap' : 'none';
  return (connector.sandbox ?? usual) === 'bubblewrap';
}

const offered = openProvided<ThisMachine | undefined>(undefined);

/** Lets this process run jobs on its own machine; only the laptop edition does. */
export const offerMachine = offered.provide;

/** Returns undefined if this process does not run jobs itself. */
export const findMachine = offered.inUse;

export function thisMachine(): ThisMachine {
  const machine = findMachine();
  if (machine) return machine;
  throw new SystemUnavailableError(
    'Only the laptop edition (npm start) runs jobs on its own machine.',
  );
}
