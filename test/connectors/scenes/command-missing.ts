import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

export const commandMissing: Scene = {
  name: 'command-missing',
  title: 'a command that does not exist fails its job with 127, and stderr names it',
  async play(stage) {
    const job = await stage.submit({ script: 'no-such-command --now' });
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: true });
    expect((await stage.readTimeline(job)).reason).toMatch(/exit code 127\b/);
    expect(await stage.readText(job, 'stderr')).toContain('no-such-command');
  },
};
