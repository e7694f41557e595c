import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

export const cancelledWhileQueued: Scene = {
  name: 'cancelled-while-queued',
  title: 'a job that is cancelled in the queue never starts, and costs nothing',
  async play(stage) {
    await stage.system.holdQueue();
    const job = await stage.submit({ script: 'exec sleep 1000' });
    await stage.waitFor('the system has the job', async () => {
      return (await stage.system.listActive(job)).length > 0 || undefined;
    });
    await stage.ada.cancel(job.path);
    expect(await stage.waitForCharge(job)).toBe(0);
    expect((await stage.read(job)).stage).toBe('CANCELED');
    await stage.waitForSilence(job);
    await stage.system.releaseQueue();
    await stage.sweeps.sweep();
    expect(await stage.system.listActive(job)).toEqual([]);
  },
};
