import { describe, expect, it } from 'vitest';
import { ask } from '../ask.ts';
import { expectJob, expectProblem, expectQuota, withoutInstance } from '../shapes.ts';
import { type Hpc, makeJob, pathOfJob, projects } from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';

const systems: Hpc[] = ['hpc_one', 'hpc_two'];

/** Design 2, Jobs: `DELETE`, which cancels what lives and deletes what has ended. */
export function deletingSuite(target: Target): void {
  const remove = ({ token }: Account, path: string) =>
    ask(target, { method: 'DELETE', path, token });

  describe('DELETE /jobs/{hpc}/{project_name}/{job_id}/', () => {
    it.each(systems)('cancels an active job on %s, and repeating it is harmless', async (hpc) => {
      const account = target.account();
      const path = pathOfJob(await makeJob(target, account, { hpc, fields: { runtime: '0.5' } }));
      const first = await remove(account, path);
      const canceled = expectJob(first);
      expect(canceled).toMatchObject({
        stage: 'CANCELED',
        terminal_stage: true,
        failed: false,
        end_date: expect.any(String),
      });
      expect((await remove(account, path)).text).toBe(first.text);
      expect((await remove(account, path.replace(/\/$/, ''))).text).toBe(first.text);
      expect((await ask(target, { path, token: account.token })).text).toBe(first.text);
    });

    itNeeding(target, 'newcomer')('gives back what was held', async () => {
      const account = target.account();
      const path = pathOfJob(await makeJob(target, account, { hpc: 'hpc_one' }));
      const quotaPath = `/quotas/hpc_one/${projects.hpc_one}/`;
      const readQuota = async () =>
        expectQuota(await ask(target, { path: quotaPath, token: account.token }));
      expect((await readQuota()).time_left).toBeLessThan(18_000_000);
      await remove(account, path);
      expect(await readQuota()).toMatchObject({ time_left: 18_000_000, space_left: 10_000_000 });
    });

    it('answers 404 for a job that is not there', async () => {
      const account = target.account();
      const path = `/jobs/hpc_one/${projects.hpc_one}/AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA/`;
      expectProblem(await remove(account, path), 404);
    });

    itNeeding(target, 'other')(
      'answers the same 404 for somebody else’s, and leaves it',
      async () => {
        const account = target.account();
        const path = pathOfJob(await makeJob(target, account, { hpc: 'hpc_one' }));
        const refused = expectProblem(await remove(target.other(), path), 404);
        const absent = expectProblem(
          await remove(target.other(), path.replace(/[^/]+\/$/, 'X/')),
          404,
        );
        expect(withoutInstance(refused)).toEqual(withoutInstance(absent));
        const kept = expectJob(await ask(target, { path, token: account.token }));
        expect(kept.stage).not.toBe('CANCELED');
      },
    );

    it.each(['/jobs/', '/jobs/hpc_one/', `/jobs/hpc_one/${projects.hpc_one}/`])(
      'answers 405 at %s',
      async (path) => {
        const answer = await remove(target.account(), path);
        expectProblem(answer, 405);
        expect(answer.headers.get('allow')).toContain('GET');
      },
    );
  });
}
