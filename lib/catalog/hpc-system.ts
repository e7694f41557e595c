import type { ProjectEntry, SystemEntry } from './catalog-schema.ts';
import type { ProjectName, SystemName } from './identifiers.ts';
import type { Renewal } from './renewal.ts';

/**
 * An HPC system is data: whatever differs between two systems is a field of the catalog, so that a
 * third one is one more entry and no new code. What each field means is said in its schema.
 */
export interface HpcSystem extends Omit<Fixed<SystemEntry>, 'name' | 'projects' | 'welcomeQuota'> {
  readonly name: SystemName;
  readonly projects: readonly [Project, ...Project[]];
  readonly welcomeQuota: WelcomeQuota;
}

/** What a new user is given on the default project, and how that renews where it does. */
export interface WelcomeQuota {
  readonly seconds: number;
  readonly kilobytes: number;
  readonly renews?: Renewal;
}

export interface Project extends Omit<Fixed<ProjectEntry>, 'name'> {
  readonly name: ProjectName;
  readonly hpc: SystemName;
  readonly description?: string;
  /** Whether nothing can be submitted: only what was opened at run time can be closed. */
  readonly closed?: boolean;
}

/** The kind of connector that serves a system, with what it needs to know. */
export type ConnectorSettings = HpcSystem['connector'];

export function runsAsOwner({ runsAs }: HpcSystem): boolean {
  return runsAs === 'mapped';
}

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

/** Tells whether the output of a job can be read while it runs: always, unless it is switched off. */
export function hasLiveOutput({ connector }: HpcSystem): boolean {
  return !('liveOutput' in connector) || connector.liveOutput !== false;
}

export type ChargingRule = HpcSystem['charging'];

export type StageWords = HpcSystem['stages'];

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

/** Read once, and never changed. */
type Fixed<T> = T extends readonly (infer Each)[]
  ? readonly Fixed<Each>[]
  : T extends object
    ? { readonly [Key in keyof T]: Fixed<T[Key]> }
    : T;
