import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

/** Of a hand-over with an input, and of an end with its figures. */
const mostOnce = 12;
/** Of one check of one job. */
const mostPerCheck = 2;

export const callsWithinABound: Scene = {
  name: 'calls-within-a-bound',
  title: 'a job costs its system few calls, and none before its hand-over and after its end',
  async play(stage) {
    const { sweeps, faults } = stage;
    for (let round = 0; round < 5; round += 1) await sweeps.sweep();
    expect(faults.calls).toEqual([]);
    const files = [{ name: 'in.txt', content: 'good' }];
    const go = stage.place('go');
    const job = await stage.submit({ script: `until [ -e '${go}' ]; do sleep 0.1; done`, files });
    // A simulated job says when it ends and is not asked before.
    const fewest = stage.traits.simulated ? 1 : 3;
    await stage.waitFor('it is looked up', async () => sweeps.lookUps >= fewest || undefined);
    stage.touch(go);
    await stage.waitForEnd(job);
    const calls = faults.calls.length;
    const bound = mostOnce + mostPerCheck * sweeps.lookUps;
    expect(calls, faults.calls.join(', ')).toBeLessThanOrEqual(bound);
    for (let round = 0; round < 5; round += 1) await sweeps.sweep();
    expect(faults.calls).toHaveLength(calls);
  },
};
