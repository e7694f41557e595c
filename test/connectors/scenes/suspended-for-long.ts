import { expect } from 'vitest';
import { expectFairCharge } from '../fair-charge.ts';
import type { Scene } from '../scene.ts';

const shortest = 0.000_001;

export const suspendedForLong: Scene = {
  name: 'suspended-for-long',
  title: 'a job that is suspended for longer than its granted time goes on, and ends by itself',
  isLong: true,
  async play(stage) {
    const go = stage.place('go');
    const job = await stage.submit({
      script: `until [ -e '${go}' ]; do sleep 0.1; done; echo done >out.txt`,
      hours: shortest,
    });
    const { runtime } = await stage.ada.read<{ runtime: number }>(job.path);
    await stage.waitForRunning(job);
    await stage.system.suspend?.(job);
    await stage.passSeconds(runtime * 3600 + 10);
    stage.touch(go);
    await stage.system.resume?.(job);
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    await expectFairCharge(stage, job, await stage.waitForCharge(job));
    expect(await stage.readText(job, 'out.txt')).toBe('done\n');
  },
};
