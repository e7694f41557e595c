import { lasting } from '../lasting.ts';
import type { Scene } from '../scene.ts';

export const cleanedUp: Scene = {
  name: 'cleaned-up',
  title: 'nothing of a job is left on its system once the job is deleted',
  async play(stage) {
    const files = [{ name: 'in.txt', content: 'good' }];
    const ended = await stage.submit({ script: 'cat in.txt >out.txt', files });
    const cancelled = await stage.submit({
      script: 'echo half >out.txt; exec sleep 1000',
      hours: lasting,
      files,
    });
    await stage.waitForRunning(cancelled);
    await stage.ada.cancel(cancelled.path);
    await stage.waitForEnd(ended);
    for (const job of [ended, cancelled]) {
      await stage.waitForCharge(job);
      await stage.remove(job);
    }
    for (const job of [ended, cancelled]) {
      await stage.waitFor('nothing of it is left', async () => {
        return (await stage.system.listLeft(job)).length === 0 || undefined;
      });
    }
  },
};
