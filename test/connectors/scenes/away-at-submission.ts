import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

export const awayAtSubmission: Scene = {
  name: 'away-at-submission',
  title: 'a job is accepted while its system is away, and runs once when it is back',
  async play(stage) {
    stage.faults.cut();
    const job = await stage.submit({ script: 'sleep 0.2' });
    await stage.waitFor('a try fails, and its reason says what comes next', async () => {
      const { tries, reason } = await stage.readTimeline(job);
      const isTold = /tried again/.test(reason ?? '');
      return (isTold && tries.some(({ accepted }) => !accepted)) || undefined;
    });
    expect(await stage.read(job)).toMatchObject({ terminal_stage: false });
    stage.faults.mend();
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    expect(await stage.countStarts(job)).toBe(1);
  },
};
