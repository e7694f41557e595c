import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

export const inputUnpacked: Scene = {
  name: 'input-unpacked',
  title: 'a job finds the files of its zip, and its results can be downloaded',
  async play(stage) {
    const job = await stage.submit({
      script: 'tr a-z A-Z <in.txt >out.txt; bin/hello >>out.txt; cat deep/er/x; echo warned >&2',
      files: [
        { name: 'in.txt', content: 'forty-two\n' },
        { name: 'bin/hello', content: '#!/bin/sh\necho hello\n', mode: 0o755 },
        { name: 'deep/er/x', content: 'below\n' },
      ],
    });
    const { stage: end, failed } = await stage.waitForEnd(job);
    expect({ end, failed }).toEqual({ end: stage.words.succeeded[0], failed: false });
    expect(await stage.readText(job, 'out.txt')).toBe('FORTY-TWO\nhello\n');
    expect(await stage.readText(job, 'stdout')).toBe('below\n');
    expect(await stage.readText(job, 'stderr')).toBe('warned\n');
  },
};
