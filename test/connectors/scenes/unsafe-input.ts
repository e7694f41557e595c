import { expect } from 'vitest';
import { buildZip } from '#test/fixtures/build-zip.ts';
import type { Scene } from '../scene.ts';
import { unsafeEntries } from '../unsafe-entries.ts';

export const unsafeInput: Scene = {
  name: 'unsafe-input',
  title: 'an input that was exchanged in the storage is not unpacked, and its command does not run',
  async play(stage) {
    await stage.sweeps.pause();
    const jobs = [];
    for (const entry of Object.values(unsafeEntries)) {
      const good = { name: 'in.txt', content: 'good' };
      const job = await stage.submit({ script: 'cat -- *', files: [good] });
      await stage.replaceInput(job, buildZip([good, entry]));
      jobs.push(job);
    }
    stage.sweeps.resume();
    for (const job of jobs) {
      expect(await stage.waitForEnd(job)).toMatchObject({ failed: true });
      expect((await stage.readTimeline(job)).reason).toMatch(/unpacked/);
      expect(await stage.countStarts(job)).toBe(0);
    }
  },
};
