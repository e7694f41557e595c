import { expect } from 'vitest';
import { expectFairCharge } from '../fair-charge.ts';
import { Death } from '../faults.ts';
import type { Scene } from '../scene.ts';
import type { StagedJob } from '../staged-system.ts';

export const killedAtEnd: Scene = {
  name: 'killed-at-end',
  title: 'our process is killed at any call of the check that ends a job, which is settled once',
  isLong: true,
  async play(stage) {
    const jobs: StagedJob[] = [];
    for (const takesEffect of [false, true]) {
      let death: Death;
      let at = 0;
      do {
        at += 1;
        death = new Death(at, takesEffect);
        await stage.sweeps.pause();
        const job = await stage.submit({ script: 'true' });
        jobs.push(job);
        await stage.handOver(job);
        await stage.waitForStart(job);
        await stage.waitForSilence(job);
        await stage.sweeps.startOver();
        await stage.sweeps.sweepAndDie(death);
        await stage.sweeps.startOver();
        stage.sweeps.resume();
        expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
        await expectFairCharge(stage, job, await stage.waitForCharge(job));
      } while (death.hasCome);
      // The list of due jobs, the claim, the calls of the system, the end with its settlement.
      expect(at).toBeGreaterThan(4);
    }
    for (const job of jobs) expect(await stage.countStarts(job)).toBe(1);
  },
};
