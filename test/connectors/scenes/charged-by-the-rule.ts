import { expectFairCharge } from '../fair-charge.ts';
import type { Scene } from '../scene.ts';

export const chargedByTheRule: Scene = {
  name: 'charged-by-the-rule',
  title: 'jobs are charged the seconds that their system counted, however they ended',
  async play(stage) {
    const scripts = ['true', 'sleep 2.3', 'sleep 1.1; kill -9 $$'];
    const jobs = await Promise.all(scripts.map((script) => stage.submit({ script })));
    for (const job of jobs) {
      await stage.waitForEnd(job);
      await expectFairCharge(stage, job, await stage.waitForCharge(job));
    }
  },
};
