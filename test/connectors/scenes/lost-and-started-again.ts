import { expect } from 'vitest';
import { expectFairCharge } from '../fair-charge.ts';
import type { Scene } from '../scene.ts';
import { writeTwoRuns } from '../two-runs.ts';

export const lostAndStartedAgain: Scene = {
  name: 'lost-and-started-again',
  title: 'the system loses a run and starts the job again: only the last run is charged',
  async play(stage) {
    const job = await stage.submit({ script: writeTwoRuns(stage) });
    await stage.waitForRunning(job);
    await stage.passSeconds(2.2);
    await stage.system.loseRun?.(job);
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: true });
    const { reason, earlier_runs: earlier } = await stage.readTimeline(job);
    expect(reason).toMatch(/exit code 3\b/);
    expect(earlier).toMatchObject([{ run: 1, lost: true, reason: expect.stringMatching(/./) }]);
    expect(await stage.readText(job, 'run.txt')).toBe('run 2\n');
    expect(await stage.system.readRuns(job)).toMatchObject([{ isLost: true }, { isLost: false }]);
    await expectFairCharge(stage, job, await stage.waitForCharge(job));
  },
};
