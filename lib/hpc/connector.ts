import type { ByteSource, DiskPlace } from '#lib/byte-streams/byte-stream.ts';
import type { ConnectorSettings, HpcSystem, JobClass } from '#lib/catalog/hpc-system.ts';
import type { JobId, ProjectName, UserId } from '#lib/catalog/identifiers.ts';
import type { Fetching } from '#lib/catalog/input-addresses.ts';
import type { Sending } from '#lib/catalog/output-addresses.ts';
import { findClass, type Resources } from '#lib/catalog/resources.ts';
import type { ReportedWindow } from '#lib/systems/keep-maintenance.ts';
import type { Table } from '#lib/table/table.ts';
import type { CredentialStore } from './credentials.ts';
import {
  CredentialsRefusedError,
  JobRefusedError,
  SystemBusyError,
  SystemUnavailableError,
} from './errors.ts';

/**
 * Everything that Slipway asks of an HPC system, whatever its kind. A connector only translates. It
 * keeps no state and decides nothing about quotas, retries or records.
 */
export interface Connector {
  /** No job is looked up more often than this. */
  readonly pollFloorSeconds: number;
  /** The most jobs that one look-up may ask for. */
  readonly batchSize: number;
  /**
   * How long a job may be missing from the system's lists after its hand-over. If the answer to a
   * hand-over was lost, the job is not looked for earlier. Missing if lists are never late.
   */
  readonly listLagSeconds?: number;
  /**
   * Hands a job over and returns the system's own handle for it. If that takes several calls, continues
   * what an earlier hand-over left, unless the order says that there was none.
   */
  submit(order: JobOrder): Promise<string>;
  /**
   * Hands over jobs with the same array name by one call, and returns handles by job id. With
   * `again`, jobs that the system already has are not handed over a second time. Throws only if no
   * job was handed over; otherwise jobs that are missing in the answer can be tried again. A refused
   * array says nothing about a single job. Missing if this kind of system has no arrays.
   */
  submitArray?(orders: readonly JobOrder[], again: boolean): Promise<ReadonlyMap<string, string>>;
  /**
   * Throws if the system would refuse the job. Nothing runs. Missing if only a real job can tell.
   */
  rehearse?(order: JobOrder): Promise<void>;
  /**
   * Returns the handle of the job with this tag, or undefined. Called before a retry, because the
   * answer to the first try may have been lost.
   */
  findByTag(tag: JobTag): Promise<string | undefined>;
  /**
   * Does the same for a cancel: also finds a job whose hand-over was not completed. Missing if jobs
   * are handed over by one call.
   */
  findBegun?(tag: JobTag): Promise<string | undefined>;
  /** Returns observations by job id. Nothing is known about a job that is missing from them. */
  lookUp(jobs: readonly SubmittedJob[]): Promise<ReadonlyMap<string, Observation>>;
  /** Harmless for a job that has ended or is gone. */
  cancel(job: SubmittedJob): Promise<void>;
  /**
   * Removes what the system still has of an ended job, its files included. Harmless if nothing is
   * left. Missing if nothing stays there, or if the system removes it by itself.
   */
  remove?(job: SubmittedJob): Promise<void>;
  listFiles(job: SubmittedJob): Promise<readonly RemoteFile[]>;
  /**
   * Lists a page of the files, without looking at more than it must. Missing if the system can only
   * list all of them.
   */
  listPage?(job: SubmittedJob, wish: PageWish): Promise<FilePage>;
  /**
   * Finds a file of a job, or throws a RemoteFileNotFoundError. Missing if the system can only list
   * all of them.
   */
  findFile?(job: SubmittedJob, fileId: string): Promise<RemoteFile>;
  /** The caller must read the stream to its end or cancel it. */
  openFile(job: SubmittedJob, fileId: string): Promise<OpenedFile>;
  /** The folders of projects that stay, as the system shows them. Missing if only jobs reach them. */
  readonly folders?: ProjectFolders;
  /** Throws if the system cannot accept jobs now. */
  checkHealth(): Promise<void>;
  /**
   * Reads when the system announces that it will be in maintenance. Remembers the answer for some
   * minutes. Missing if this kind of system announces nothing.
   */
  readMaintenance?(): Promise<readonly ReportedWindow[]>;
  /**
   * Lists the jobs that ended since a moment, as the system's own accounting has them. Missing if
   * this kind of system has none; undefined if this one has not set it up.
   */
  readAccounting?(since: Date): Promise<readonly AccountedJob[] | undefined>;
}

/** The folder of a project that stays from job to job, and who asks for it. */
export interface FolderPlace {
  readonly project: ProjectName;
  readonly owner: UserId;
  /** The account that reads it; undefined for the service's own. */
  readonly login?: string | undefined;
}

export interface FolderSize {
  readonly bytes: number;
  readonly files: number;
}

/** What a system does with the folders of projects. A folder that no job made yet is an empty one. */
export interface ProjectFolders {
  measure(place: FolderPlace): Promise<FolderSize>;
  list(place: FolderPlace): Promise<readonly RemoteFile[]>;
  /** Lists a page of them. Missing if the system can only list all of them. */
  listPage?(place: FolderPlace, wish: PageWish): Promise<FilePage>;
  /** Throws a RemoteFileNotFoundError, as all that follow. */
  find(place: FolderPlace, fileId: string): Promise<RemoteFile>;
  open(place: FolderPlace, fileId: string): Promise<OpenedFile>;
  remove(place: FolderPlace, fileId: string): Promise<void>;
  /** Removes everything in it. */
  empty(place: FolderPlace): Promise<void>;
}

/** Opens the connector to a system of one kind; each lib/hpc/<kind>/<kind>-connector.ts exports one. */
export type OpenKind<Kind extends ConnectorSettings['kind']> = (
  settings: Extract<ConnectorSettings, { readonly kind: Kind }>,
  means: ConnectorMeans,
) => Connector;

/** What a connector may need besides its settings. */
export interface ConnectorMeans {
  readonly table: Table;
  readonly system: HpcSystem;
  /** How long one hour of a job takes on a simulator. */
  readonly simulatedHourSeconds: number;
  /** Throws if the system has no credentials. */
  openCredentials(): CredentialStore;
  /** Where AWS Batch runs the jobs of this system, if the deployment created the place. */
  readonly batchPlace?: BatchPlace | undefined;
}

/** Names or ARNs. */
export interface BatchPlace {
  readonly queue: string;
  readonly definition: string;
}

/** An ended job in the accounting of its system. */
export interface AccountedJob {
  /** The job's name there. For our own jobs it is the job id, for tasks the name of their array. */
  readonly name: string;
  /** Set for a task of an array. */
  readonly task?: number | undefined;
  readonly handle: string;
  /** All runs in their order. The last one has ended, too. */
  readonly runs: readonly JobRun[];
  readonly endedAt: Date;
}

/** One run of a job, as its system counts it. A system may start a job more than once. */
export interface JobRun {
  /** From 1, in the order in which the system started them. */
  readonly number: number;
  readonly startedAt?: Date | undefined;
  readonly endedAt?: Date | undefined;
  /** Wall-clock seconds in which the run was not suspended. */
  readonly seconds: number;
  /** True if the system ended it for reasons of its own, such as a failed node or a preemption. */
  readonly isLost: boolean;
  /** Tells the owner why the run ended. */
  readonly reason: string;
}

/** Sent to the system with a job, so that the job can be found again. */
export interface JobTag {
  readonly jobId: JobId;
  readonly owner: UserId;
  /** The account that the job runs as; undefined for the service's own. */
  readonly login?: string | undefined;
  /** The array that the job may be a task of, on a system that has arrays. */
  readonly array?: ArrayTask | undefined;
}

/** Jobs with the same array name differ only in command, title, extras and environment. */
export interface ArrayTask {
  readonly name: string;
  /** From 0, in the order of the job numbers and without gaps. */
  readonly task: number;
  /** How many tasks of the array may run at once. */
  readonly atOnce?: number | undefined;
  /**
   * For systems whose jobs fetch their script: where each task of the array finds its own, with its
   * number as `task` in the query.
   */
  readonly scriptAddress?: string | undefined;
}

export interface JobOrder extends JobTag, Resources {
  /** The command, or the name of the tool. */
  readonly program: string;
  /** For systems that charge the jobs of each project to an account of its own. */
  readonly project?: ProjectName | undefined;
  readonly hours: number;
  readonly title: string;
  readonly extras: Readonly<Record<string, string>>;
  /** Variables that the job finds in its environment, where the system has one. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly input?: JobInput;
  /** Files that the job fetches by itself. */
  readonly fetching?: Fetching | undefined;
  /** Files that it sends by itself. */
  readonly sending?: Sending | undefined;
  /** True if no earlier hand-over can have reached the system, so that nobody looks for the job. */
  readonly isFirst?: boolean;
  /**
   * The handle of a task of the same array that must have ended before this job starts, so that no
   * more than `array.atOnce` run at once although this job is handed over alone.
   */
  readonly after?: string | undefined;
  /**
   * For jobs that pack their own results: a PUT with `bytes` in the query returns where to send them.
   * Valid while the job is active.
   */
  readonly resultsAddress?: string;
  /** A running job sends its output here by PUT, and learns whether somebody follows it. */
  readonly outputAddress?: string;
  /** For systems whose jobs fetch their script: a GET returns it to the first run of the job. */
  readonly scriptAddress?: string;
}

/** Returns the class of a job, or throws if the catalog does not have it any more. */
export function classOf(
  { classes = [] }: { readonly classes?: HpcSystem['classes'] | undefined },
  { className }: Resources,
): Partial<JobClass> {
  if (className === undefined) return {};
  const found = findClass({ classes }, className);
  if (found) return found;
  throw new JobRefusedError(
    `The class '${className}' does not exist any more. Submit the job again with another one.`,
  );
}

/** The longest pause between the tries of a job that waits for this service. */
export const longestRetrySeconds = 20;

/** A running job sends only the last bytes of its two streams. */
export const outputTailBytes = 65_536;

/** The zip of a job. Systems that cannot fetch it are sent it, opened again for each try. */
export interface JobInput extends ByteSource {
  readonly fileName: string;
  /** For systems that fetch the zip themselves: a GET redirects to it while the job is active. */
  readonly address: string;
}

export interface SubmittedJob extends JobTag {
  readonly handle: string;
  /** How many earlier runs are known already, so that nobody asks for them again. */
  readonly knownRuns?: number | undefined;
}

/** The runs of a job that was started more than once. Stages and figures are those of the last. */
interface ObservedRuns {
  /** The number of the run that the observation is about. Missing for the first, or if nobody tells. */
  readonly run?: number | undefined;
  /** The runs before it, as far as the system tells them. */
  readonly earlierRuns?: readonly JobRun[] | undefined;
}

/** What the system says about a job. An answer that cannot be read gives no observation. */
export type Observation =
  | (ObservedRuns & {
      readonly state: 'living';
      readonly stage: string;
      readonly reason?: string;
      /** When the stage changes next, if the system knows it. Checking earlier is pointless. */
      readonly steadyUntil?: Date;
    })
  | (ObservedRuns & {
      readonly state: 'ended';
      readonly stage: string;
      readonly failed: boolean;
      readonly reason?: string;
      /** Wall-clock seconds in which the run was not suspended, if the system reports them. */
      readonly usedSeconds?: number;
      readonly startedAt?: Date;
      readonly endedAt?: Date;
      /** True if the system ended the run for reasons of its own. */
      readonly isLost?: boolean;
      /**
       * Says why the image of the job could not be fetched, in whole sentences. The command never
       * began, unless the job has no image and its command only ended as if it had.
       */
      readonly lacksImage?: string;
      /** Where files of the job may still be on the system, unless its results arrived. */
      readonly leftIn?: string;
      readonly measured?: Measured | undefined;
      /**
       * How long a job tries to reach this service before it gives up. Set if the job ended by
       * itself and without success, because the service may have been away.
       */
      readonly patienceSeconds?: number;
    })
  /** The system was reached and does not know the job. */
  | { readonly state: 'unknown' };

/** The resources that a system measured for an ended job, as far as it measures them. */
export interface Measured {
  /** Processor time of all its processes together. */
  readonly cpuSeconds?: number | undefined;
  /** The cores that it had. */
  readonly cores?: number | undefined;
  /** The most memory that it used at once. */
  readonly memoryBytes?: number | undefined;
  /** The memory that it was given. */
  readonly memoryLimitBytes?: number | undefined;
}

export interface RemoteFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** The number of bytes before the first one, if only the end of the file is kept. */
  readonly startsAt?: number;
  /** Where it is, if it was found on the disk of this machine. */
  readonly place?: DiskPlace;
}

/** Selects a page of a job's files. */
export interface PageWish {
  /**
   * Lists only what is directly in this folder, with its folders. The path ends in '/', and is empty
   * for the outermost folder. Without it, all files are listed by their paths.
   */
  readonly folder?: string | undefined;
  /** The position of the last entry before the page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A file on a page, or a folder. */
export interface ListedFile extends RemoteFile {
  readonly position: string;
  readonly isFolder?: true;
}

/** A page may have fewer files than wanted, or none, although others follow. */
export interface FilePage {
  readonly files: readonly ListedFile[];
  /** The position after which the list continues, or undefined at its end. */
  readonly next: string | undefined;
}

export interface OpenedFile {
  /** Undefined if the system does not report it with the file. */
  readonly bytes: number | undefined;
  readonly stream: ReadableStream<Uint8Array>;
}

/**
 * True for errors that any system may cause at any time: it is away, busy, or refuses our
 * credentials. We wait these out. Any other error is a bug, or a fault of the table.
 */
export function isSystemFault(error: unknown): boolean {
  return [SystemUnavailableError, SystemBusyError, CredentialsRefusedError].some(
    (kind) => error instanceof kind,
  );
}
