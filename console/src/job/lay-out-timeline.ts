import { describeStage, type Meaning } from '#client/src/format/describe-stage.ts';
import type { Timeline } from '#client/src/index.ts';

export interface Segment {
  readonly stage: string;
  readonly meaning: Meaning;
  readonly seconds: number;
  /** Of the whole, from 0 to 1. */
  readonly share: number;
}

export interface Tick {
  readonly at: string;
  readonly accepted: boolean;
  readonly reason: string | null;
  /** From the left, from 0 to 1. */
  readonly place: number;
}

/** A job's life as one bar: its stages to scale, and the tries to hand it over as ticks. */
export function layOutTimeline(
  { stages, tries }: Pick<Timeline, 'stages' | 'tries'>,
  end: Date,
): { readonly segments: readonly Segment[]; readonly ticks: readonly Tick[] } {
  const [first] = stages;
  if (!first) return { segments: [], ticks: [] };
  const begin = Date.parse(first.since);
  const whole = Math.max(1, end.getTime() - begin);
  const segments = stages.map(({ stage, since }, index) => {
    const until = stages[index + 1]?.since;
    const ms = Math.max(0, (until ? Date.parse(until) : end.getTime()) - Date.parse(since));
    const { meaning } = describeStage({ stage, terminal_stage: false, failed: false });
    return { stage, meaning, seconds: ms / 1000, share: ms / whole };
  });
  const ticks = tries.map((attempt) => ({
    ...attempt,
    place: Math.max(0, Math.min(1, (Date.parse(attempt.at) - begin) / whole)),
  }));
  // Where it ended it did not stay: the last stage of an ended job has no length.
  return { segments: segments.filter(({ share }) => share > 0), ticks };
}
