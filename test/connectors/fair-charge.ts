import { expect } from 'vitest';
import type { Stage } from './stage.ts';
import type { StagedJob } from './staged-system.ts';

/**
 * Expects that a job was charged by the rule of all kinds: the seconds of its runs, without those
 * that it was suspended and without runs that the system lost, rounded up as one sum.
 */
export async function expectFairCharge(
  stage: Stage,
  job: StagedJob,
  charged: number,
): Promise<void> {
  const runs = await stage.system.readRuns(job);
  const paid = runs.filter(({ isLost }) => !isLost);
  const seconds = paid.reduce((sum, run) => sum + run.seconds, 0);
  const { slackSeconds } = stage.system;
  const told = `charged ${charged} s for ${JSON.stringify(runs)}`;
  expect(charged, told).toBeGreaterThanOrEqual(Math.ceil(seconds - slackSeconds));
  expect(charged, told).toBeLessThanOrEqual(Math.ceil(seconds + slackSeconds));
}
