import type { Estimate, ReportRow, Timeline } from '../generated/operations.ts';
import { writeSize } from './amounts.ts';
import { writeDuration } from './duration.ts';

/**
 * Describes how much an ended job used of its cores, on average, and of its memory: `3.2 of 4 cores
 * and 1.2 GB of 16 GB of memory`. Returns undefined if its system measures neither.
 */
export function describeUsage({ efficiency }: Timeline): string | undefined {
  const { time, cpu, memory } = efficiency ?? {};
  const parts = [
    cpu && time && time.used > 0 && writeCores(cpu.used / time.used, cpu.asked / time.used),
    memory && `${writeSize(memory.used)} of ${writeSize(memory.asked)} of memory`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' and ') : undefined;
}

function writeCores(used: number, cores: number): string {
  const all = Math.round(cores);
  return `${Math.min(used, all).toFixed(1)} of ${all} ${all === 1 ? 'core' : 'cores'}`;
}

/** Writes which share of the time that they had asked for the jobs of a row used: `38 %`. */
export function writeUsedShare({ time_used: used, time_asked: asked }: ReportRow): string {
  return asked === null || asked === 0 ? '' : `${Math.round((100 * used) / asked)} %`;
}

/** Says how much time the last jobs of the same kind needed, if there are any. */
export function describeSimilar({ similar }: Pick<Estimate, 'similar'>): string | undefined {
  if (!similar) return undefined;
  const { jobs, time } = similar;
  const whose = jobs === 1 ? 'Your last job of this kind' : `Your last ${jobs} jobs of this kind`;
  return `${whose} used ${jobs === 1 ? '' : 'at most '}${writeDuration(time.used)} of ${writeDuration(time.asked)}.`;
}
