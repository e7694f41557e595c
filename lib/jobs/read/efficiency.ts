import type { Job } from '../job.ts';
import type { JobLife } from '../life/job-life.ts';

/** How much of something an ended job used, of what it had asked for. */
export interface Share {
  readonly used: number;
  readonly asked: number;
}

export interface Efficiency {
  /** Wall-clock seconds. */
  readonly time: Share;
  /** Seconds of all cores together, while the job ran. */
  readonly cpu?: Share;
  /** Bytes, at the moment of the most. */
  readonly memory?: Share;
}

/**
 * Compares what the last run of an ended job used with what the job asked for, as far as its system
 * measures it. Returns undefined for a job that never ran.
 */
export function measureEfficiency(job: Job, life: JobLife): Efficiency | undefined {
  const ran = life.lastRunSeconds ?? job.ranSeconds;
  if (!job.terminal || ran === undefined) return undefined;
  const { cpuSeconds, cores, memoryBytes, memoryLimitBytes } = life.measured ?? {};
  return {
    time: { used: ran, asked: Math.round(job.runtime * 3600) },
    ...(cpuSeconds !== undefined &&
      cores !== undefined && { cpu: { used: cpuSeconds, asked: cores * ran } }),
    ...(memoryBytes !== undefined &&
      memoryLimitBytes !== undefined && { memory: { used: memoryBytes, asked: memoryLimitBytes } }),
  };
}
