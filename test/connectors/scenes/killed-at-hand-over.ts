import { expect } from 'vitest';
import { Death } from '../faults.ts';
import type { Scene } from '../scene.ts';
import type { StagedJob } from '../staged-system.ts';

export const killedAtHandOver: Scene = {
  name: 'killed-at-hand-over',
  title: 'our process is killed at any call of a hand-over, and the job runs exactly once',
  isLong: true,
  async play(stage) {
    await stage.sweeps.pause();
    const jobs: StagedJob[] = [];
    for (const takesEffect of [false, true]) {
      let death: Death;
      let at = 0;
      do {
        at += 1;
        death = new Death(at, takesEffect);
        const job = await stage.submit({ script: 'true' });
        jobs.push(job);
        await stage.handOverAndDie(job, death);
      } while (death.hasCome);
      // Reads of the job and its request, the claim, the calls of the system and the handle.
      expect(at).toBeGreaterThan(4);
    }
    await stage.sweeps.startOver();
    stage.sweeps.resume();
    for (const job of jobs) {
      expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
      expect(await stage.countStarts(job)).toBe(1);
      await stage.waitForCharge(job);
    }
  },
};
