import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

export const tooMuchMemory: Scene = {
  name: 'too-much-memory',
  title: 'a job that uses more memory than it asked for is ended, and the reason says memory',
  async play(stage) {
    stage.system.limitMemory?.();
    const fill = "import time; filled = b'x' * 300_000_000; time.sleep(60)";
    const job = await stage.submit({
      script: `echo begun; /usr/bin/python3 -c "${fill}"; exit $?`,
      memory: '100 MB',
    });
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: true });
    expect((await stage.readTimeline(job)).reason).toMatch(/memory/);
    expect(await stage.system.listActive(job)).toEqual([]);
  },
};
