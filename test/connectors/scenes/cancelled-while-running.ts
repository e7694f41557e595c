import { expect } from 'vitest';
import { expectFairCharge } from '../fair-charge.ts';
import { lasting } from '../lasting.ts';
import type { Scene } from '../scene.ts';

export const cancelledWhileRunning: Scene = {
  name: 'cancelled-while-running',
  title: 'a running job that is cancelled ends, is charged until then, and its output stays',
  async play(stage) {
    const job = await stage.submit({ script: 'echo begun; exec sleep 1000', hours: lasting });
    await stage.waitForRunning(job);
    await stage.ada.cancel(job.path);
    const charged = await stage.waitForCharge(job);
    expect((await stage.read(job)).stage).toBe('CANCELED');
    await stage.waitForSilence(job);
    if (stage.traits.countsCancelledTime) await expectFairCharge(stage, job, charged);
    else expect(charged).toBeGreaterThan(0);
    if (stage.traits.cancelKeepsOutput) {
      expect(await stage.readText(job, 'stdout')).toContain(stage.traits.simulated ? '' : 'begun');
    }
  },
};
