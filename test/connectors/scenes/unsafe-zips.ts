import { expect } from 'vitest';
import { buildZip } from '#test/fixtures/build-zip.ts';
import type { Scene } from '../scene.ts';
import { unsafeEntries } from '../unsafe-entries.ts';

export const unsafeZips: Scene = {
  name: 'unsafe-zips',
  title: 'a zip that would leave its folder is refused before the system hears of it',
  async play(stage) {
    for (const [what, entry] of Object.entries(unsafeEntries)) {
      const zip = buildZip([{ name: 'in.txt', content: 'good' }, entry]);
      const submitted = stage.submit({ script: 'true', zip });
      await expect(submitted, what).rejects.toThrow(`'${entry.name}'`);
    }
    await stage.sweeps.sweep();
    expect(stage.faults.calls).toEqual([]);
  },
};
