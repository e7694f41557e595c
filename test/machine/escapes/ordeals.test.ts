import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ordeals } from './ordeals.ts';
import { levels, missing, Scene } from './scene.ts';

describe.each(levels)('a hostile job, %s', (level) => {
  const fault = missing[level];
  const scene = fault === undefined ? new Scene(level) : undefined;
  const played = new Map<string, Promise<boolean>>();
  // All at once, because most of them wait.
  beforeAll(async () => {
    if (!scene) return;
    await scene.open();
    for (const { what, play } of ordeals) {
      const worked = play(scene);
      worked.catch(() => undefined);
      played.set(what, worked);
    }
  });
  afterAll(async () => {
    await Promise.allSettled(played.values());
    await scene?.close();
  });

  it.runIf(scene).each(ordeals)('$what', async (ordeal) => {
    const { what, stoppedAt, needsLuck = false } = ordeal;
    const worked = await played.get(what);
    if (stoppedAt.includes(level)) expect(worked).toBe(false);
    else if (!needsLuck) expect(worked).toBe(true);
  });
});
