import { expect } from 'vitest';
import { handOverWithout } from '../hand-over.ts';
import type { Scene } from '../scene.ts';

export const answerLost: Scene = {
  name: 'answer-lost',
  title: 'the answer to any call of a hand-over is lost, and the job runs exactly once',
  async play(stage) {
    const jobs = await handOverWithout(stage, { script: 'sleep 0.3' });
    for (const job of jobs) {
      expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
      expect(await stage.countStarts(job)).toBe(1);
      expect(await stage.system.listActive(job)).toEqual([]);
      await stage.waitForCharge(job);
    }
    // One hand-over for each call, and the one in which nothing was lost.
    expect(jobs.length).toBeGreaterThan(1);
  },
};
