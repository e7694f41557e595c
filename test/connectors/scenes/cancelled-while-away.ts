import { expect } from 'vitest';
import { expectFairCharge } from '../fair-charge.ts';
import { lasting } from '../lasting.ts';
import type { Scene } from '../scene.ts';

export const cancelledWhileAway: Scene = {
  name: 'cancelled-while-away',
  title: 'a job is cancelled while its system is away, and ends there as soon as it is back',
  async play(stage) {
    const job = await stage.submit({ script: 'exec sleep 1000', hours: lasting });
    await stage.waitForRunning(job);
    stage.faults.cut();
    const calls = stage.faults.calls.length;
    await stage.ada.cancel(job.path);
    await stage.waitFor('a call fails', async () => stage.faults.calls.length > calls || undefined);
    expect((await stage.read(job)).stage).toBe('CANCELED');
    stage.faults.mend();
    // The next try is due when the lease of the failed one ends.
    await stage.sweeps.startOver();
    const charged = await stage.waitForCharge(job);
    await stage.waitForSilence(job);
    if (stage.traits.countsCancelledTime) await expectFairCharge(stage, job, charged);
  },
};
