import { expect } from 'vitest';
import { expectFairCharge } from '../fair-charge.ts';
import type { Scene } from '../scene.ts';
import { writeTwoRuns } from '../two-runs.ts';

export const startedAgain: Scene = {
  name: 'started-again',
  title: 'a job is requeued while it runs: the last run counts, and both are charged',
  async play(stage) {
    const job = await stage.submit({ script: writeTwoRuns(stage) });
    await stage.waitForRunning(job);
    await stage.passSeconds(3.2);
    await stage.system.requeue?.(job);
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: true });
    expect(await stage.countStarts(job)).toBe(2);
    const { reason, earlier_runs: earlier, efficiency } = await stage.readTimeline(job);
    expect(reason).toMatch(/exit code 3\b/);
    expect(earlier).toMatchObject([{ run: 1, lost: false, reason: expect.stringMatching(/./) }]);
    expect(await stage.readText(job, 'run.txt')).toBe('run 2\n');
    expect(await stage.listNames(job)).not.toContain('first.txt');
    const last = (await stage.system.readRuns(job)).at(-1)?.seconds ?? 0;
    expect(Math.abs((efficiency?.time.used ?? 0) - last)).toBeLessThanOrEqual(1);
    if (efficiency?.cpu) expect(efficiency.cpu.used).toBeLessThan(1);
    await expectFairCharge(stage, job, await stage.waitForCharge(job));
  },
};
