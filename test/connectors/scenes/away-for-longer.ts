import { expect } from 'vitest';
import { expectFairCharge } from '../fair-charge.ts';
import type { Scene } from '../scene.ts';

export const awayForLonger: Scene = {
  name: 'away-for-longer',
  title: 'a system is away from the hand-over until after the end, and the job is charged exactly',
  async play(stage) {
    await stage.system.holdQueue();
    const job = await stage.submit({ script: 'sleep 3.4; echo done >out.txt' });
    await stage.waitFor('the job is handed over', async () => {
      const { tries } = await stage.readTimeline(job);
      return tries.some(({ accepted }) => accepted) || undefined;
    });
    stage.faults.cut();
    await stage.system.releaseQueue();
    await stage.waitForStart(job);
    await stage.waitForSilence(job);
    stage.faults.mend();
    await stage.sweeps.startOver();
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    expect(await stage.countStarts(job)).toBe(1);
    await expectFairCharge(stage, job, await stage.waitForCharge(job));
  },
};
