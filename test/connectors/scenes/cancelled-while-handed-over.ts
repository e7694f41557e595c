import { expect } from 'vitest';
import { expectFairCharge } from '../fair-charge.ts';
import { handOverWithout } from '../hand-over.ts';
import { lasting } from '../lasting.ts';
import type { Scene } from '../scene.ts';

export const cancelledWhileHandedOver: Scene = {
  name: 'cancelled-while-handed-over',
  title: 'the answer to any call of a hand-over is lost, the job is cancelled, and nothing runs on',
  async play(stage) {
    const jobs = await handOverWithout(
      stage,
      { script: 'exec sleep 1000', hours: lasting },
      (job) => stage.ada.cancel(job.path),
    );
    for (const job of jobs) {
      const charged = await stage.waitForCharge(job);
      expect((await stage.read(job)).stage).toBe('CANCELED');
      await stage.waitForSilence(job);
      if (stage.traits.countsCancelledTime) await expectFairCharge(stage, job, charged);
      // The service goes by what it saw, and never saw the job run.
      else expect(charged).toBe(0);
    }
    expect(jobs.length).toBeGreaterThan(1);
  },
};
