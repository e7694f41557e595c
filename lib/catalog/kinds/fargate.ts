/**
 * Facts about Fargate, on which AWS Batch runs the jobs of a `batch` system, and the defaults that
 * follow from them.
 */

/** Has python3, which is all that the script of a job needs. */
export const defaultImage = 'public.ecr.aws/docker/library/python:3.13-slim';

export const defaultMemoryPerCore = 2;

/** Fargate has 32 vCPUs, too, but only with 60, 120 or 244 GB, so no memory per core fits them all. */
export const mostCores = 16;

/** Gigabytes of the largest size. */
export const mostMemory = 120;

/**
 * The sizes of a container: vCPUs, and the gigabytes of memory that each allows, as `ResourceRequirement`
 * of AWS Batch lists them (in the SDK's own documentation of that type). Fargate has smaller sizes,
 * but no job has less than a core.
 */
const sizes = [
  { cores: 1, memory: { least: 2, most: 8, step: 1 } },
  { cores: 2, memory: { least: 4, most: 16, step: 1 } },
  { cores: 4, memory: { least: 8, most: 30, step: 1 } },
  { cores: 8, memory: { least: 16, most: 60, step: 4 } },
  { cores: mostCores, memory: { least: 32, most: mostMemory, step: 8 } },
] as const;

/** Memory per core that every size allows, in gigabytes. */
export const memoryPerCoreBounds = { least: 2, most: 7.5 } as const;

export interface ContainerSize {
  readonly cores: number;
  readonly memoryGigabytes: number;
}

/**
 * Returns the smallest size that has these cores and this memory. Without a memory, there is some for
 * each core of the size.
 */
export function chooseSize(
  coresPerNode: number,
  memoryPerCore: number = defaultMemoryPerCore,
  memoryMegabytes?: number,
): ContainerSize | undefined {
  const asked = memoryMegabytes === undefined ? undefined : memoryMegabytes / 1000;
  const size = sizes.find(
    ({ cores, memory }) => cores >= coresPerNode && memory.most >= (asked ?? 0),
  );
  if (!size) return undefined;
  const { cores, memory } = size;
  const { least, most, step } = memory;
  const wanted = Math.ceil((asked ?? cores * memoryPerCore) / step) * step;
  return { cores, memoryGigabytes: Math.min(most, Math.max(least, wanted)) };
}

/** US dollars. */
export interface FargatePrice {
  readonly coreHour: number;
  readonly gbHour: number;
}

/**
 * On demand in us-east-1, Linux on x86. AWS's own page shows its prices only in a browser, so these
 * are from copies of them (https://www.vantage.sh/blog/fargate-pricing, and with a date of March 2026
 * https://www.wring.co/blog/aws-fargate-pricing-guide). Many other regions cost more, and spot less.
 */
export const defaultPrice: FargatePrice = { coreHour: 0.04048, gbHour: 0.004445 };
