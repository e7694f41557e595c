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
    const job = await stage.submit({ script: 'sleep 2', files });
    await stage.waitForEnd(job);
    const calls = faults.calls.length;
    expect(sweeps.lookUps).toBeGreaterThan(0);
    const bound = mostOnce + mostPerCheck * sweeps.lookUps;
    expect(calls, faults.calls.join(', ')).toBeLessThanOrEqual(bound);
    for (let round = 0; round < 5; round += 1) await sweeps.sweep();
    expect(faults.calls).toHaveLength(calls);
  },
};
