import { expect } from 'vitest';
import { data, hash } from '../fetching/data-server.ts';
import type { Scene } from '../scene.ts';

export const study: Scene = {
  name: 'study',
  title:
    'a study reads a data set of its system, a file by address and, where projects have folders, what the last job left there',
  entry: { keep: { maxKilobytes: 50 } },
  async play(stage) {
    if (stage.offersFolders) {
      const last = await stage.submit({ script: 'echo kept >"$SLIPWAY_PROJECT_DIR/kept.txt"' });
      expect(await stage.waitForEnd(last)).toMatchObject({ failed: false });
    }
    const kept = stage.offersFolders ? '"$SLIPWAY_PROJECT_DIR/kept.txt"' : '';
    const job = await stage.submit({
      script: `cat "$SLIPWAY_DATASET_LETTERS" in/all.txt ${kept} >answer.txt`,
      inputs: [{ from: `${stage.dataHost}/data`, to: 'in/all.txt', sha256: hash }],
    });
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    expect(await stage.readText(job, 'answer.txt')).toBe(
      `abc\n${data}${stage.offersFolders ? 'kept\n' : ''}`,
    );
  },
};
