/**
 * Facts about Fargate, on which AWS Batch runs the jobs of a `batch` system, and the defaults that
 * follow from them.
 */

/** Has python3, which is all that the script of a job needs. */
export const defaultImage = 'public.ecr.aws/docker/library/python:3.13-slim';

export const defaultMemoryPerCore = 2;

/** The largest size of Fargate. */
export const mostCores = 16;

/**
 * The sizes of a container: vCPUs, and the gigabytes of memory that each allows. Fargate has smaller
 * sizes, but no job has less than a core.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-tasks-services.html
 */
const sizes = [
  { cores: 1, memory: { least: 2, most: 8, step: 1 } },
  { cores: 2, memory: { least: 4, most: 16, step: 1 } },
  { cores: 4, memory: { least: 8, most: 30, step: 1 } },
  { cores: 8, memory: { least: 16, most: 60, step: 4 } },
  { cores: mostCores, memory: { least: 32, most: 120, step: 8 } },
] as const;

/** Memory per core that every size allows, in gigabytes. */
export const memoryPerCoreBounds = { least: 2, most: 7.5 } as const;

export interface ContainerSize {
  readonly cores: number;
  readonly memoryGigabytes: number;
}

/** Returns the smallest size that has these cores, with memory for each of its own cores. */
export function chooseSize(
  coresPerNode: number,
  memoryPerCore: number = defaultMemoryPerCore,
): ContainerSize | undefined {
  const size = sizes.find(({ cores }) => cores >= coresPerNode);
  if (!size) return undefined;
  const { cores, memory } = size;
  const { least, most, step } = memory;
  const wanted = Math.ceil((cores * memoryPerCore) / step) * step;
  return { cores, memoryGigabytes: Math.min(most, Math.max(least, wanted)) };
}

/** US dollars. */
export interface FargatePrice {
  readonly coreHour: number;
  readonly gbHour: number;
}

/**
 * On demand in us-east-1, Linux on x86 (https://aws.amazon.com/fargate/pricing/). Other regions cost
 * more, and spot costs less.
 */
export const defaultPrice: FargatePrice = { coreHour: 0.04048, gbHour: 0.004445 };
