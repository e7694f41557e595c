import { expect } from 'vitest';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { isSystemFault } from '#lib/hpc/connector.ts';
import { jobId as nameJob, userId } from '#test/fixtures/names.ts';
import { lasting } from '../lasting.ts';
import type { Scene } from '../scene.ts';

export const foundAgain: Scene = {
  name: 'found-again',
  title: 'a job is found by its tag while it runs, and no other is taken for it',
  async play(stage) {
    const { connector } = stage.sweeps;
    const { login } = stage.system;
    const owner = userId(stage.ada.user);
    const one = await stage.submit({ script: 'exec sleep 1000', hours: lasting });
    const two = await stage.submit({ script: 'exec sleep 1000', hours: lasting });
    for (const job of [one, two]) await stage.waitForRunning(job);
    // A system that did not answer in time is asked again, as sweeps do it.
    const ask = async <T>(call: () => Promise<T>): Promise<T> => {
      const { answer } = await stage.waitFor('the system answers', () =>
        call().then(
          (answer) => ({ answer }),
          (error: unknown) => {
            if (!isSystemFault(error)) throw error;
            return undefined;
          },
        ),
      );
      return answer;
    };
    const find = (id: JobId) => ask(() => connector.findByTag({ jobId: id, owner, login }));
    const found = await Promise.all([one, two].map(({ jobId }) => find(nameJob(jobId))));
    expect(found).toEqual([expect.any(String), expect.any(String)]);
    expect(found[0]).not.toBe(found[1]);
    const unknown = nameJob(one.jobId.replace(/.$/, (last) => (last === '0' ? '1' : '0')));
    expect(await find(unknown)).toBeUndefined();
    const [handle = ''] = found;
    const jobs = [{ jobId: nameJob(one.jobId), owner, login, handle }];
    const seen = await ask(() => connector.lookUp(jobs));
    expect(seen.get(one.jobId)).toMatchObject({ state: 'living' });
    for (const { path } of [one, two]) await stage.ada.cancel(path);
  },
};
