import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

/** The shortest grant: it is rounded up to the system's own unit. */
const shortest = 0.000_001;

export const overTime: Scene = {
  name: 'over-time',
  title:
    'a job over its granted time is ended, says so, keeps its output and pays no more than that',
  isLong: true,
  async play(stage) {
    const job = await stage.submit({ script: 'echo begun; sleep 300', hours: shortest });
    const { runtime } = await stage.ada.read<{ runtime: number }>(job.path);
    expect(await stage.waitForEnd(job, 150)).toMatchObject({ failed: true });
    expect((await stage.readTimeline(job)).reason).toMatch(/time limit|that it was granted/);
    expect(await stage.readText(job, 'stdout')).toBe('begun\n');
    expect(await stage.system.listActive(job)).toEqual([]);
    const charged = await stage.waitForCharge(job);
    expect(charged).toBeGreaterThan(0);
    expect(charged).toBeLessThanOrEqual(Math.round(runtime * 3600));
  },
};
