import type { ProjectName, SystemName } from './identifiers.ts';

/**
 * An HPC system is data: whatever differs between two systems is a field here, so that a third
 * one is one more entry of systems.ts and no new code.
 */
export interface HpcSystem {
  /** The name in paths; bodies carry it in upper case (interface 2.1). */
  readonly name: SystemName;
  readonly description: string;
  /** The first one is the default of a submission that names none (interface 4.2). */
  readonly projects: readonly [Project, ...Project[]];
  /** What the job runs: free text for a batch scheduler, or the name of an installed tool. */
  readonly program:
    | { readonly field: 'command'; readonly form: 'text'; readonly maxLength: number }
    | { readonly field: 'tool'; readonly form: 'name'; readonly maxLength: number };
  /** Fields of the Payload that this system alone knows, all optional text. */
  readonly extraFields: readonly { readonly name: string; readonly maxLength: number }[];
  readonly limits: { readonly nodes: number; readonly coresPerNode: number };
  /** Hours. A longer request is granted this much, not refused. */
  readonly grantableRuntime: number;
  readonly charging: ChargingRule;
  readonly jobId:
    | { readonly form: 'uuid' }
    | { readonly form: 'tool-token'; readonly prefix: string };
  readonly stages: StageWords;
  /** How jobs get there (lib/hpc). */
  readonly connector: ConnectorSettings;
  /** How many jobs are handed over to it side by side, by one run. */
  readonly handOversAtOnce?: number;
  /** By how many runs its jobs are followed; one is enough for thousands (docs/performance.md). */
  readonly sweepRuns?: number;
  /** Of a zip that a job sends, where jobs send their results; never more than one PUT takes. */
  readonly maxResultsBytes?: number;
  /** What a new user is given on the default project. */
  readonly welcomeQuota: { readonly seconds: number; readonly kilobytes: number };
}

export interface Project {
  /** The record number in bodies (`project`): never reused, whatever happens to the name. */
  readonly number: number;
  readonly name: ProjectName;
  readonly hpc: SystemName;
  /** How many jobs one caller may have living here at once. */
  readonly maxLivingJobs: number;
}

/** The kind of connector that serves a system, with what it needs to know; never a credential. */
export type ConnectorSettings =
  | { readonly kind: 'simulator' }
  | {
      readonly kind: 'slurm';
      readonly baseUrl: string;
      readonly partition: string;
      /** Where the site charges jobs to one. */
      readonly account?: string;
      readonly workDirectory: string;
      /** Where the site wants to be asked more rarely than every 30 s, or lets us ask more often. */
      readonly pollFloorSeconds?: number;
    }
  | { readonly kind: 'unicore'; readonly baseUrl: string }
  | {
      readonly kind: 'nsg';
      readonly baseUrl: string;
      readonly endUsers: {
        readonly emailDomain: string;
        readonly institution: string;
        readonly country: string;
      };
    };

const defaultHandOversAtOnce = 8;

export function handOversAtOnce(system: HpcSystem): number {
  return system.handOversAtOnce ?? defaultHandOversAtOnce;
}

/** Nearly what S3 takes in one PUT. */
const defaultMaxResultsBytes = 5_000_000_000;

export function maxResultsBytes(system: HpcSystem): number {
  return system.maxResultsBytes ?? defaultMaxResultsBytes;
}

export function countSweepRuns(system: HpcSystem): number {
  return system.sweepRuns ?? 1;
}

/** Which time is charged: the clock's, the clock's on every node, or the clock's on every core. */
export type ChargingRule = 'wall-clock' | 'node' | 'core';

/** The system's own words, in the order in which a job meets them. */
export interface StageWords {
  readonly first: string;
  /** The word for computing: from there on time is used. */
  readonly running: string;
  readonly living: readonly string[];
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
}

/** Stages that Slipway sets itself, on every system. */
export const ownStages = { canceled: 'CANCELED', deleted: 'DELETED' } as const;

/** A system without a word of its own for it ends a failed job as it ends any other. */
export function stageOfFailure({ failed, succeeded, running }: StageWords): string {
  return failed[0] ?? succeeded[0] ?? running;
}

export function listStages(system: HpcSystem): string[] {
  const { living, succeeded, failed } = system.stages;
  return [...living, ...succeeded, ...failed, ownStages.canceled, ownStages.deleted];
}
