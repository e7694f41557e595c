import type { ProjectEntry, SystemEntry } from './catalog-schema.ts';
import type { ProjectName, SystemName } from './identifiers.ts';
import type { Renewal } from './renewal.ts';

/**
 * An HPC system is data. Every difference between two systems is a field of the catalog, so a third
 * system is one more entry and no new code. The schema says what each field means.
 */
export interface HpcSystem extends Omit<Fixed<SystemEntry>, 'name' | 'projects' | 'welcomeQuota'> {
  readonly name: SystemName;
  readonly projects: readonly [Project, ...Project[]];
  readonly welcomeQuota: WelcomeQuota;
}

/** The quota of a new user in the default project, with its renewal if it has one. */
export interface WelcomeQuota {
  readonly seconds: number;
  readonly kilobytes: number;
  readonly renews?: Renewal;
}

export interface Project extends Omit<Fixed<ProjectEntry>, 'name' | 'shared' | 'members'> {
  readonly name: ProjectName;
  readonly hpc: SystemName;
  readonly description?: string;
  /** True if nothing can be submitted. Only projects opened at run time can be closed. */
  readonly closed?: boolean;
  /** True if members draw from the project's budget directly. */
  readonly shared?: boolean | undefined;
  /** The group of the identity provider whose people are members. */
  readonly members?: { readonly group: string } | undefined;
}

/** The kind of a system, with the settings that its connector needs. */
export type ConnectorSettings = HpcSystem['connector'];

export function runsAsOwner({ runsAs }: HpcSystem): boolean {
  return runsAs === 'mapped';
}

const defaultHandOversAtOnce = 8;

export function handOversAtOnce(system: HpcSystem): number {
  return system.handOversAtOnce ?? defaultHandOversAtOnce;
}

/** Slightly less than S3 accepts in one PUT. */
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

/**
 * Tells which shell runs commands, or undefined if the system has none of its own. A person's own
 * account has a profile that was made for it.
 */
export function shellOf({ connector, runsAs }: HpcSystem): 'login' | 'plain' | undefined {
  if (connector.kind !== 'slurm' && connector.kind !== 'unicore') return undefined;
  return connector.shell ?? (runsAs === 'mapped' ? 'login' : 'plain');
}

/** Lists the lines that run before each command, by system and class. */
export function listSetup({ connector }: HpcSystem): readonly string[] {
  return 'setup' in connector ? connector.setup : [];
}

export type AccountClaim = NonNullable<HpcSystem['accountClaim']>;

export type Charging = HpcSystem['charging'];

/** Names a way of charging by one word. */
export function wordOfCharging(charging: Charging): 'wall-clock' | 'node' | 'core' | 'weights' {
  return typeof charging === 'string' ? charging : 'weights';
}

export type JobClass = NonNullable<HpcSystem['classes']>[number];

export type StageWords = HpcSystem['stages'];

/** Stages that Slipway sets itself, on every system. */
export const ownStages = { canceled: 'CANCELED', deleted: 'DELETED' } as const;

/** Returns the word for a failed job; a system without one ends it like any other job. */
export function stageOfFailure({ failed, succeeded, running }: StageWords): string {
  return failed[0] ?? succeeded[0] ?? running;
}

export function listStages(system: HpcSystem): string[] {
  const { living, succeeded, failed } = system.stages;
  return [...living, ...succeeded, ...failed, ownStages.canceled, ownStages.deleted];
}

/** Makes a type deeply read-only. */
type Fixed<T> = T extends readonly (infer Each)[]
  ? readonly Fixed<Each>[]
  : T extends object
    ? { readonly [Key in keyof T]: Fixed<T[Key]> }
    : T;
