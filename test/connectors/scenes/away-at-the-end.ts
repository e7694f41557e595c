import { expect } from 'vitest';
import { expectFairCharge } from '../fair-charge.ts';
import { lasting } from '../lasting.ts';
import type { Scene } from '../scene.ts';

export const awayAtTheEnd: Scene = {
  name: 'away-at-the-end',
  title: 'a job ends while its system is away, and keeps its end, its results and its charge',
  async play(stage) {
    const go = stage.place('go');
    const job = await stage.submit({
      hours: lasting,
      script: `until [ -e '${go}' ]; do sleep 0.1; done; echo done >out.txt`,
    });
    await stage.waitForRunning(job);
    stage.faults.cut();
    await stage.letEnd(job, go);
    await stage.waitForSilence(job);
    await stage.sweeps.sweep();
    expect(await stage.read(job)).toMatchObject({ terminal_stage: false });
    stage.faults.mend();
    await stage.sweeps.startOver();
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    await expectFairCharge(stage, job, await stage.waitForCharge(job));
    if (!stage.traits.simulated) expect(await stage.readText(job, 'out.txt')).toBe('done\n');
  },
};
