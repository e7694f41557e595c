import { expect } from 'vitest';
import { data, hash } from '../fetching/data-server.ts';
import type { Scene } from '../scene.ts';

export const dataOfTwoKinds: Scene = {
  name: 'data-of-two-kinds',
  title: 'a study reads a data set of its system and a file by address, and leaves its result',
  async play(stage) {
    const job = await stage.submit({
      script: 'cat "$SLIPWAY_DATASET_LETTERS" in/all.txt | wc -c >answer.txt',
      inputs: [{ from: `${stage.dataHost}/data`, to: 'in/all.txt', sha256: hash }],
    });
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    expect(Number(await stage.readText(job, 'answer.txt'))).toBe('abc\n'.length + data.length);
  },
};
