import { expect } from 'vitest';
import { lasting } from '../lasting.ts';
import type { Scene } from '../scene.ts';

export const outputWhileItRuns: Scene = {
  name: 'output-while-it-runs',
  title: 'somebody who follows a running job sees what it prints',
  async play(stage) {
    const go = stage.place('go');
    const job = await stage.submit({
      hours: lasting,
      script: `echo begun; until [ -e '${go}' ]; do sleep 0.2; done; echo over`,
    });
    await stage.waitForRunning(job);
    const seen = await stage.waitFor('its output is there', async () => {
      const text = await stage.readText(job, 'stdout').catch(() => '');
      return text === '' ? undefined : text;
    });
    expect(await stage.read(job)).toMatchObject({ terminal_stage: false });
    if (stage.traits.simulated) return expect(seen).toContain('started:');
    expect(seen).toBe('begun\n');
    stage.touch(go);
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    expect(await stage.readText(job, 'stdout')).toBe('begun\nover\n');
  },
};
