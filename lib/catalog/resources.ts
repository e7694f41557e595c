import type { HpcSystem, JobClass } from './hpc-system.ts';
import { chooseSize } from './kinds/fargate.ts';

/** What a job gets on its system. Memory, GPUs, class and image are missing where they are not offered. */
export interface Resources {
  readonly nodes: number;
  readonly coresPerNode: number;
  /** On each node; its cores are divided among them. As the catalog says if missing. */
  readonly tasksPerNode?: number | undefined;
  /** On each node, in megabytes of 1,000,000 bytes. */
  readonly memoryMegabytes?: number | undefined;
  readonly gpusPerNode?: number | undefined;
  /** Any kind if missing. */
  readonly gpuKind?: string | undefined;
  readonly className?: string | undefined;
  /** The image that the command runs in. */
  readonly image?: string | undefined;
}

/** Copies the resources out of a wider description. */
export function resourcesOf(resources: Resources) {
  const { nodes, coresPerNode, tasksPerNode, memoryMegabytes } = resources;
  const { gpusPerNode, gpuKind, className, image } = resources;
  return {
    nodes,
    coresPerNode,
    ...(tasksPerNode !== undefined && { tasksPerNode }),
    ...(memoryMegabytes !== undefined && { memoryMegabytes }),
    ...(gpusPerNode !== undefined && { gpusPerNode }),
    ...(gpuKind !== undefined && { gpuKind }),
    ...(className !== undefined && { className }),
    ...(image !== undefined && { image }),
  };
}

/** The limits, the charge and the price of a system, as one of its classes has them. */
export interface Offer extends Pick<HpcSystem, 'connector' | 'grantableRuntime'> {
  readonly nodes: number;
  readonly coresPerNode: number;
  /** Gigabytes. Missing if jobs cannot ask for memory. */
  readonly memoryPerNode?: number | undefined;
  /** Zero if jobs cannot ask for GPUs. */
  readonly gpusPerNode: number;
  readonly charging: HpcSystem['charging'];
  readonly chargingFactor: number;
  /** Only of a class that has prices of its own. */
  readonly price: JobClass['price'];
}

/** The parts of a system that its offers are made from. */
export type Offering = Pick<
  HpcSystem,
  | 'limits'
  | 'memoryPerNode'
  | 'gpusPerNode'
  | 'charging'
  | 'classes'
  | 'connector'
  | 'grantableRuntime'
>;

/** Returns undefined for a name that the catalog does not have, or has no longer. */
export function findClass(
  { classes = [] }: Pick<HpcSystem, 'classes'>,
  name: string | undefined,
): JobClass | undefined {
  return classes.find((each) => each.name === name);
}

/** Lists the classes that the jobs of a project may use, the default first. */
export function classesFor(
  { classes = [] }: Pick<HpcSystem, 'classes'>,
  project: string,
): readonly JobClass[] {
  return classes.filter(({ projects }) => projects?.includes(project) ?? true);
}

/** Returns what a class offers. A class that the catalog does not have offers what its system does. */
export function offerIn(system: Offering, className: string | undefined): Offer {
  const { limits = {}, charging, chargingFactor = 1, price } = findClass(system, className) ?? {};
  const { memoryPerNode = system.memoryPerNode } = limits;
  return {
    nodes: limits.nodes ?? system.limits.nodes,
    coresPerNode: limits.coresPerNode ?? system.limits.coresPerNode,
    memoryPerNode,
    gpusPerNode: limits.gpusPerNode ?? system.gpusPerNode ?? 0,
    charging: charging ?? system.charging,
    chargingFactor,
    price,
    connector: system.connector,
    grantableRuntime: limits.runtime ?? system.grantableRuntime,
  };
}

/** What the cores of a job are for its system: a task each, threads of one task, or as the job says. */
export type CoresAs = NonNullable<JobClass['coresAs']>;

/** Returns undefined for a system to which cores are only cores. */
export function coresAsIn(
  system: Pick<HpcSystem, 'connector' | 'classes'>,
  className: string | undefined,
): CoresAs | undefined {
  if (system.connector.kind !== 'slurm') return undefined;
  return findClass(system, className)?.coresAs ?? system.connector.coresAs ?? 'tasks';
}

/** Tells whether jobs can choose their tasks, in any class or in none. */
export function offersTasks(system: Pick<HpcSystem, 'connector' | 'classes'>): boolean {
  const names = system.classes?.map(({ name }) => name) ?? [undefined];
  return names.some((name) => coresAsIn(system, name) === 'choice');
}

/** Writes megabytes as submissions do: `16 GB`, `1.5 GB`, `500 MB`. */
export function writeMemory(megabytes: number): string {
  return megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`;
}

/**
 * Returns the memory that a job gets on each node, in megabytes. A job that does not ask gets the
 * share of its cores. Undefined if jobs of the system cannot ask for memory. On Fargate, memory
 * comes in the sizes of containers.
 */
export function grantMemory(
  system: Offering,
  { className, coresPerNode, memoryMegabytes: asked }: Resources,
): number | undefined {
  const { memoryPerNode, coresPerNode: most } = offerIn(system, className);
  if (memoryPerNode === undefined) return undefined;
  if (system.connector.kind === 'batch') {
    const size = chooseSize(coresPerNode, system.connector.memoryPerCore, asked);
    return size && size.memoryGigabytes * 1000;
  }
  return asked ?? Math.max(1, Math.floor((memoryPerNode * 1000 * coresPerNode) / most));
}
