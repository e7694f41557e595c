import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

export const exitCode: Scene = {
  name: 'exit-code',
  title: 'a command that ends with 3 fails its job, and the reason says 3',
  async play(stage) {
    const job = await stage.submit({ script: 'echo lost >&2; exit 3' });
    const { stage: end, failed } = await stage.waitForEnd(job);
    expect({ end, failed }).toEqual({ end: stage.words.failed[0], failed: true });
    expect((await stage.readTimeline(job)).reason).toMatch(/exit code 3\b/);
    expect(await stage.readText(job, 'stderr')).toBe('lost\n');
  },
};
