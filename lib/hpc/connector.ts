import type { ByteSource } from '#lib/byte-streams/byte-stream.ts';
import type { ConnectorSettings, HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import type { CredentialStore } from './credentials.ts';
import { CredentialsRefusedError, SystemBusyError, SystemUnavailableError } from './errors.ts';

/**
 * What Slipway asks of an HPC system, whatever kind it is. A connector translates; it keeps no
 * state of its own and decides nothing about quotas, retries or records.
 */
export interface Connector {
  /** No job is looked up more often than this. */
  readonly pollFloorSeconds: number;
  /** How many jobs one look-up may ask for. */
  readonly batchSize: number;
  /** Hands a job over and returns the system's own handle for it. */
  submit(order: JobOrder): Promise<string>;
  /**
   * The handle of the job that carries this tag, or nothing: asked before a second try, because
   * the answer to the first one may have been lost on its way.
   */
  findByTag(tag: JobTag): Promise<string | undefined>;
  /** By job id. A job that is missing from the answer was not answered for: nothing is known. */
  lookUp(jobs: readonly SubmittedJob[]): Promise<ReadonlyMap<string, Observation>>;
  /** Harmless for a job that has ended or is gone. */
  cancel(job: SubmittedJob): Promise<void>;
  listFiles(job: SubmittedJob): Promise<readonly RemoteFile[]>;
  /** Whoever opens a file reads it to its end or cancels it. */
  openFile(job: SubmittedJob, fileId: string): Promise<OpenedFile>;
  /** Throws where the system cannot take jobs now. */
  checkHealth(): Promise<void>;
  /**
   * Lists the jobs that ended since a moment, as the system's own accounting has them. Missing if
   * this kind of system has none; undefined if this one has not set it up.
   */
  readAccounting?(since: Date): Promise<readonly AccountedJob[] | undefined>;
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
}

/** What the accounting of a system says of a job that has ended. */
export interface AccountedJob {
  /** Its name there, which is our job id for a job of ours. */
  readonly jobId: string;
  readonly handle: string;
  /** Wall-clock seconds. */
  readonly seconds: number;
  readonly endedAt: Date;
}

/** What travels to the system with a job, so that it can be found again. */
export interface JobTag {
  readonly jobId: JobId;
  readonly owner: UserId;
  /** The account that it runs as, and for which the system is called; none where it is the service's. */
  readonly login?: string | undefined;
}

export interface JobOrder extends JobTag {
  /** The command, or the name of the tool. */
  readonly program: string;
  readonly nodes: number;
  readonly coresPerNode: number;
  readonly hours: number;
  readonly title: string;
  readonly extras: Readonly<Record<string, string>>;
  readonly input?: JobInput;
  /**
   * Where a job that packs its own results asks, by a PUT with `bytes` in the query, where to send
   * them; good for as long as the job lives.
   */
  readonly resultsAddress?: string;
  /** Where a running job asks, by a PUT, whether somebody follows it, and sends what it has written. */
  readonly outputAddress?: string;
}

/** A job that waits for this service tries again at least so often. */
export const longestRetrySeconds = 20;

/** How much of each of its two streams a running job sends: the end. */
export const outputTailBytes = 65_536;

/** The zip of a job; systems that must be sent it open it, anew for each try. */
export interface JobInput extends ByteSource {
  readonly fileName: string;
  /** For systems that fetch the zip themselves: a GET is sent on to it, for as long as the job lives. */
  readonly address: string;
}

export interface SubmittedJob extends JobTag {
  readonly handle: string;
}

/** What the system says of a job. An answer that cannot be understood is no observation. */
export type Observation =
  | {
      readonly state: 'living';
      readonly stage: string;
      readonly reason?: string;
      /** The moment of its next change, where the system knows it: no look before then brings news. */
      readonly steadyUntil?: Date;
    }
  | {
      readonly state: 'ended';
      readonly stage: string;
      readonly failed: boolean;
      readonly reason?: string;
      /** Wall-clock seconds, where the system tells them. */
      readonly usedSeconds?: number;
      readonly endedAt?: Date;
      /**
       * Set where the job ended by itself and without success: how long it tries to reach this
       * service before it gives up, where the service was away.
       */
      readonly patienceSeconds?: number;
    }
  /** The system was reached and does not know the job. */
  | { readonly state: 'unknown' };

export interface RemoteFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** How many bytes came before the first one, where only the end of the file is kept. */
  readonly startsAt?: number;
}

export interface OpenedFile {
  /** Where the system tells it with the file. */
  readonly bytes: number | undefined;
  readonly stream: ReadableStream<Uint8Array>;
}

/**
 * True for what any system may do at any time: it is away, it is busy, or it refuses our
 * credentials. Such an error is waited out. Any other error is a mistake of ours, or the table's.
 */
export function isSystemFault(error: unknown): boolean {
  return [SystemUnavailableError, SystemBusyError, CredentialsRefusedError].some(
    (kind) => error instanceof kind,
  );
}
