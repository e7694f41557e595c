import { expect } from 'vitest';
import { expectFairCharge } from '../fair-charge.ts';
import type { Scene } from '../scene.ts';

const suspendedSeconds = 3.2;

export const suspended: Scene = {
  name: 'suspended',
  title: 'the time for which a job is suspended is not charged',
  async play(stage) {
    const go = stage.place('go');
    const begun = Date.now();
    const job = await stage.submit({
      script: `until [ -e '${go}' ]; do sleep 0.1; done; echo done >out.txt`,
    });
    await stage.waitForRunning(job);
    await stage.passSeconds(1.2);
    await stage.system.suspend?.(job);
    await stage.passSeconds(suspendedSeconds);
    expect(await stage.read(job)).toMatchObject({ terminal_stage: false });
    await stage.system.resume?.(job);
    stage.touch(go);
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    const wholeSeconds = (Date.now() - begun) / 1000;
    await expectFairCharge(stage, job, await stage.waitForCharge(job));
    // Otherwise the system would count the suspension, and the comparison would say nothing.
    const [run] = await stage.system.readRuns(job);
    expect(run?.seconds).toBeLessThan(wholeSeconds - suspendedSeconds + 1);
    expect(await stage.readText(job, 'out.txt')).toBe('done\n');
  },
};
