import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { AddressedInput } from '#lib/catalog/input-addresses.ts';
import type { KindName } from '#lib/catalog/kinds/system-kinds.ts';
import type { AddressedOutput } from '#lib/catalog/output-addresses.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import type { Table } from '#lib/table/table.ts';
import type { ZipEntry } from '#test/fixtures/build-zip.ts';
import type { Wishes } from '#test/slurm/researcher.ts';
import type { Line } from './lines.ts';

/** What a scene asks a system to run. */
export interface Order {
  /** Lines of bash. */
  readonly script: string;
  readonly files?: readonly ZipEntry[];
  /** Sent as it is, instead of the files. */
  readonly zip?: Buffer<ArrayBuffer>;
  /** Hours, for a job that must have more or less than others. */
  readonly hours?: number;
  readonly memory?: string;
  readonly title?: string;
  /** Files that the job fetches. */
  readonly inputs?: readonly AddressedInput[];
  /** Files that it sends. */
  readonly outputs?: readonly AddressedOutput[];
}

/** A job on the stage. */
export interface StagedJob {
  readonly jobId: string;
  /** Where the service has it. */
  readonly path: string;
}

/** A run of a job, as the system itself counts it. */
export interface CountedRun {
  /** Without the time that it was suspended. */
  readonly seconds: number;
  /** True if the system ended it for reasons of its own. */
  readonly isLost: boolean;
}

/**
 * One system of one kind, which one scene has for itself. Whatever is missing here, the kind cannot
 * do, and test/connectors/kinds.ts says why.
 */
export interface StagedSystem {
  /** What its entry in the catalog has besides that of the test catalog. */
  readonly entry: Partial<HpcSystem>;
  readonly credentials?: Readonly<Record<string, string>>;
  /** The account that the jobs run as, where they run as their owners. */
  readonly login?: string;
  /** The account of another member of the project there. */
  readonly otherLogin?: string;
  /** Where folders of projects are, if the catalog must say so. */
  readonly keptPath?: string;
  readonly line: Line;
  /** The line that the schedule's own connector takes, if that is another one. */
  readonly idleLine?: Line;
  /** Says how the kind is asked to run a script. */
  write(order: Order): { readonly command: string; readonly wishes: Wishes };
  /** Changes what the catalog opened: shorter clocks, another endpoint, a line inside. */
  connect(opened: Connector): Promise<Connector> | Connector;
  /** What the kind calls the files with the output of a job, if not `stdout` and `stderr`. */
  readonly streams?: { readonly stdout: string; readonly stderr: string };
  /** Lets the system end jobs that use more than 100 megabytes, if it does not do so anyway. */
  limitMemory?(): void;
  /** From now on no job starts, until the queue is released. */
  holdQueue(): Promise<void>;
  releaseQueue(): Promise<void>;
  /** What of a job still runs or waits there. */
  listActive(job: StagedJob): Promise<readonly string[]>;
  /** Files and records of an ended job that are still there. */
  listLeft(job: StagedJob): Promise<readonly string[]>;
  /** Ends a running job that executes no script. */
  letEnd?(job: StagedJob): Promise<void>;
  /** How often the job was started, if that cannot be read from its marks. */
  countStarts?(job: StagedJob): Promise<number>;
  /** The runs of an ended job, in their order. None if the system never had the job. */
  readRuns(job: StagedJob): Promise<readonly CountedRun[]>;
  /** How far the service's count may differ from that of the system, for a whole job. */
  readonly slackSeconds: number;
  /** An administrator, or the owner, has the system start a running job again. */
  requeue?(job: StagedJob): Promise<void>;
  /** The system loses a running job for its own reasons, and starts it again. */
  loseRun?(job: StagedJob): Promise<void>;
  suspend?(job: StagedJob): Promise<void>;
  resume?(job: StagedJob): Promise<void>;
}

/** All systems of one kind, before they have a service. */
export interface StagedKind {
  readonly kind: KindName;
  /** Opens the system of a scene. Called for all scenes before the service starts. */
  openSystem(name: string): Promise<StagedSystem>;
  /** Further systems of the catalog, which no scene has. */
  readonly others?: readonly Partial<HpcSystem>[];
  /** Called when the service runs. */
  begin?(service: { readonly table: Table }): void;
  close(): Promise<void>;
}

/** Opens a kind of system. `directory` is there until the last scene is over, and open to all. */
export type OpenStagedKind = (directory: string) => Promise<StagedKind>;
