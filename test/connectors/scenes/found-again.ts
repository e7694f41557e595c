import { expect } from 'vitest';
import { jobId as nameJob, userId } from '#test/fixtures/names.ts';
import { lasting } from '../lasting.ts';
import type { Scene } from '../scene.ts';

export const foundAgain: Scene = {
  name: 'found-again',
  title: 'a job is found by its tag while it runs, and no other is taken for it',
  async play(stage) {
    const { connector } = stage.sweeps;
    const owner = userId(stage.ada.user);
    const one = await stage.submit({ script: 'exec sleep 100', hours: lasting });
    const two = await stage.submit({ script: 'exec sleep 100', hours: lasting });
    for (const job of [one, two]) await stage.waitForRunning(job);
    const found = await Promise.all(
      [one, two].map(({ jobId }) => connector.findByTag({ jobId: nameJob(jobId), owner })),
    );
    expect(found).toEqual([expect.any(String), expect.any(String)]);
    expect(found[0]).not.toBe(found[1]);
    const unknown = nameJob(one.jobId.replace(/.$/, (last) => (last === '0' ? '1' : '0')));
    expect(await connector.findByTag({ jobId: unknown, owner })).toBeUndefined();
    const [handle = ''] = found;
    const jobs = [{ jobId: nameJob(one.jobId), owner, handle }];
    expect((await connector.lookUp(jobs)).get(one.jobId)).toMatchObject({ state: 'living' });
    for (const { path } of [one, two]) await stage.ada.cancel(path);
  },
};
