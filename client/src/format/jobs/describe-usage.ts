import type { Estimate, ReportRow, Timeline } from '../../generated/operations.ts';
import { phrase } from '../../words/formats.ts';
import { currentLanguage } from '../../words/language.ts';
import { writeSize } from '../amounts/amounts.ts';
import { joinWords } from '../sentences/join-words.ts';
import { writeDuration } from '../times/duration.ts';
import { toHours } from '../times/read-hours.ts';

/**
 * Describes how much an ended job used of its cores, on average, and of its memory: `3.2 of 4 cores
 * and 1.2 GB of 16 GB of memory`. Returns undefined if its system measures neither.
 */
export function describeUsage({ efficiency }: Timeline): string | undefined {
  const { time, cpu, memory } = efficiency ?? {};
  const parts = [
    cpu && time && time.used > 0 && writeCores(cpu.used / time.used, cpu.asked / time.used),
    memory &&
      phrase('usage.memory', { used: writeSize(memory.used), asked: writeSize(memory.asked) }),
  ].filter((part) => typeof part === 'string');
  return parts.length > 0 ? joinWords(parts) : undefined;
}

function writeCores(used: number, cores: number): string {
  const all = Math.round(cores);
  const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const average = Math.min(used, all).toLocaleString(currentLanguage().digits, tenths);
  return phrase('usage.cores', { used: average, count: all });
}

/** Writes which share of the time that they had asked for the jobs of a row used: `38 %`. */
export function writeUsedShare({ time_used: used, time_asked: asked }: ReportRow): string {
  return asked === null || asked === 0 ? '' : `${Math.round((100 * used) / asked)} %`;
}

/** Says how much time the last jobs of the same kind needed, if there are any. */
export function describeSimilar({ similar }: Pick<Estimate, 'similar'>): string | undefined {
  if (!similar) return undefined;
  const { jobs, time } = similar;
  const [used, asked] = [writeDuration(time.used), writeDuration(time.asked)];
  return phrase('usage.similar', { count: jobs, used, asked });
}

interface Asked {
  readonly hpc: string;
  /** Hours, or a text with units. */
  readonly runtime: number | string;
}

/** Says that a system gives less time than a job asks for, if it does. */
export function describeCut(
  { hpc, runtime }: Asked,
  { runtime: given }: Pick<Estimate, 'runtime'>,
): string[] {
  const asked = toHours(runtime);
  if (given >= asked) return [];
  const [most, wanted] = [writeDuration(given * 3600), writeDuration(asked * 3600)];
  return [phrase('usage.cut', { asked: wanted, hpc, given: most })];
}
