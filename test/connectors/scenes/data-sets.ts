import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

export const dataSets: Scene = {
  name: 'data-sets',
  title: 'a job finds the data sets that its project may use, and hears of no other',
  async play(stage) {
    const job = await stage.submit({
      script:
        'echo "$SLIPWAY_DATASETS"; cat "$SLIPWAY_DATASET_LETTERS"; env | grep -c SLIPWAY_DATASET_',
    });
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    expect(await stage.readText(job, 'stdout')).toBe('letters\nabc\n1\n');
  },
};
