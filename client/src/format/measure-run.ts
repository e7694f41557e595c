import type { Timeline } from '../generated/operations.ts';

/**
 * Seconds that a job has run: as it was charged once it has ended, until now while it runs. Returns
 * undefined if it never ran, or if nobody knows.
 */
export function measureRun(timeline: Timeline, now: Date): number | undefined {
  const { ran_seconds: ran, running_since: since, stages, terminal_stage: ended } = timeline;
  if (ran !== null) return ran;
  if (ended || since === null) return undefined;
  const begun = Date.parse(since);
  // The stage after the running one is when it stopped: it may take long to bring its files home.
  const next = stages.filter((stage) => Date.parse(stage.since) >= begun)[1]?.since;
  return Math.max(0, (next === undefined ? now.getTime() : Date.parse(next)) - begun) / 1000;
}
