import { percentile } from '../measure/figures.ts';
import type { Answer } from './load.ts';

/** The memory of the laptop edition at a moment of the run, in bytes. */
export interface Memory {
  readonly rss: number;
  /** The heap of the requests, and that of the jobs' lives, after their last full collection. */
  readonly requests: number;
  readonly lives: number;
  /** What the requests keep outside of their heap. */
  readonly external: number;
}

export interface MemorySample extends Memory {
  readonly minute: number;
}

/**
 * Keeps the lowest of what garbage inflates. A leak raises the lowest as well; a single moment shows
 * mostly how long ago garbage was collected. The heaps are without garbage anyway.
 */
export function keepLowest(before: Memory | undefined, now: Memory): Memory {
  if (!before) return now;
  return {
    ...now,
    rss: Math.min(before.rss, now.rss),
    external: Math.min(before.external, now.external),
  };
}

export const memoryKinds = ['rss', 'requests', 'lives', 'external'] as const;

export type MemoryKind = (typeof memoryKinds)[number];

/** Something that must hold, with what was measured. `holds` is undefined if the run is too short. */
export interface Verdict {
  readonly name: string;
  readonly measured: string;
  readonly wanted: string;
  readonly holds: boolean | undefined;
}

/** Judges the requests by their answers. Under a load that it can carry, a service refuses none. */
export function judgeFailures(answers: readonly Answer[]): Verdict {
  const failures = answers.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  const counts = [...Map.groupBy(failures, (failure) => failure.slice(0, 3))].map(
    ([start, all]) => `${all.length} x ${all[0]?.slice(0, 200) ?? start}`,
  );
  return {
    name: 'errors',
    measured: [`${failures.length} of ${answers.length} requests failed`, ...counts].join('; '),
    wanted: 'none',
    holds: failures.length === 0,
  };
}

const warmUpMs = 60_000;
const windowMs = 5 * 60_000;

/**
 * Returns the 99th percentiles of the first five minutes after the warm-up and of the last five. A
 * short run has shorter windows, which do not overlap.
 */
export function compareEnds(
  answers: readonly Answer[],
  { began, ended }: { readonly began: number; readonly ended: number },
): { readonly first: number; readonly last: number } {
  const from = began + Math.min(warmUpMs, (ended - began) / 4);
  const window = Math.min(windowMs, (ended - from) / 2);
  const p99Between = (start: number, end: number) =>
    percentile(
      answers.filter(({ plannedAt }) => plannedAt >= start && plannedAt < end).map(({ ms }) => ms),
      0.99,
    );
  return { first: p99Between(from, from + window), last: p99Between(ended - window, ended) };
}

const mostSlower = 1.5;

export function judgeAnswerTimes(ends: ReturnType<typeof compareEnds>): Verdict {
  const ratio = ends.last / ends.first;
  return {
    name: 'answer times',
    measured: `p99 ${ends.first.toFixed(0)} ms at first, ${ends.last.toFixed(0)} ms at last, ${ratio.toFixed(2)} x`,
    wanted: `at most ${mostSlower} x`,
    holds: ratio <= mostSlower,
  };
}

/** Caches and compiled code take their room in the first minutes. */
const shortestMemoryRun = 10;
/** The process has room for garbage and for fragments, which is never the same twice. */
const mostGrowth = { rss: 0.1, requests: 0.05, lives: 0.05, external: 0.05 };
const mostGrowthBytes = 8 * 2 ** 20;

/**
 * Judges each kind of memory by its growth over the second half of the run. The line is drawn by
 * least squares, because one high value is not a trend.
 */
export function judgeMemory(samples: readonly MemorySample[]): Verdict {
  const minutes = samples.at(-1)?.minute ?? 0;
  const half = secondHalf(samples);
  const grown = memoryKinds.map((kind) => {
    const growth = slopeOf(half, kind) * ((half.at(-1)?.minute ?? 0) - (half[0]?.minute ?? 0));
    const mean = meanOf(half.map((sample) => sample[kind]));
    const most = Math.max(mostGrowthBytes, mean * mostGrowth[kind]);
    return { kind, growth, isFlat: growth <= most };
  });
  return {
    name: 'memory',
    measured: grown
      .map(({ kind, growth }) => `${kind} ${growth < 0 ? '' : '+'}${(growth / 2 ** 20).toFixed(1)}`)
      .join(', ')
      .concat(' MB in the second half'),
    wanted: 'at most 5 % more, RSS 10 %, or 8 MB',
    holds: minutes < shortestMemoryRun ? undefined : grown.every(({ isFlat }) => isFlat),
  };
}

/** Returns bytes a minute. */
export function slopeOf(samples: readonly MemorySample[], kind: MemoryKind): number {
  const middle = meanOf(samples.map(({ minute }) => minute));
  const mean = meanOf(samples.map((sample) => sample[kind]));
  const sum = (value: (sample: MemorySample) => number) =>
    samples.reduce((total, sample) => total + value(sample), 0);
  const spread = sum(({ minute }) => (minute - middle) ** 2);
  const shared = sum((sample) => (sample.minute - middle) * (sample[kind] - mean));
  return spread === 0 ? Number.NaN : shared / spread;
}

export function secondHalf(samples: readonly MemorySample[]): readonly MemorySample[] {
  return samples.slice(Math.floor(samples.length / 2));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
