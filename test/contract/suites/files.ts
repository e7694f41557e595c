import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { JobFile } from '#lib/http/answers/job.ts';
import { ask } from '../ask.ts';
import { expectProblem, withoutInstance } from '../shapes.ts';
import { type Hpc, makeJob, pathOfJob, projects } from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';

const systems: Hpc[] = ['hpc_one', 'hpc_two'];

/** Design 2, Beyond the contract: what a job leaves. */
export function filesSuite(target: Target): void {
  const read = ({ token }: Account, path: string) => ask(target, { path, token });
  const makeFiles = async (account: Account, hpc: Hpc) =>
    pathOfJob(await makeJob(target, account, { hpc })).replace('/jobs/', '/files/');

  describe('GET /files/{hpc}/{project_name}/{job_id}/[{file_id}/]', () => {
    it.each(systems)('lists the files of a job on %s, each of which can be had', async (hpc) => {
      const account = target.account();
      const path = await makeFiles(account, hpc);
      for (const form of [path, path.replace(/\/$/, '')]) {
        const answer = await read(account, form);
        expect(answer.status).toBe(200);
        const files = v.parse(v.array(JobFile), JSON.parse(answer.text));
        const names = files.map(({ filename }) => filename);
        expect(names).toEqual(names.toSorted());
        expect(names).not.toContain('');
        for (const { fileid } of files) {
          expect(fileid).toMatch(/^[\w.~-]+$/);
          const file = await read(account, `${path}${fileid}/`);
          expect([200, 303]).toContain(file.status);
          if (file.status === 200) {
            expect(file.headers.get('content-type')).toBe('application/octet-stream');
            expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
          }
        }
      }
    });

    it.each(systems)('answers 404 for a file that a job on %s has not', async (hpc) => {
      const account = target.account();
      const path = await makeFiles(account, hpc);
      for (const file of ['no-such-file/', '%2e%2e%2fstdout/', 'no-such-file']) {
        const problem = expectProblem(await read(account, `${path}${file}`), 404);
        expect(problem.type).toMatch(/:(file|path)-not-found$/);
      }
    });

    it.each(['', 'stdout/'])('answers 404 for a job that is not there: %j', async (file) => {
      const account = target.account();
      const path = `/files/hpc_one/${projects.hpc_one}/00000000-0000-4000-8000-000000000000/${file}`;
      expect(expectProblem(await read(account, path), 404).type).toMatch(/:job-not-found$/);
    });

    itNeeding(target, 'other')('answers the same 404 for somebody else’s', async () => {
      const path = await makeFiles(target.account(), 'hpc_one');
      const other = target.other();
      const foreign = expectProblem(await read(other, path), 404);
      const absent = expectProblem(await read(other, path.replace(/[^/]+\/$/, 'X/')), 404);
      expect(withoutInstance(foreign)).toEqual(withoutInstance(absent));
    });

    it('answers 400 to unknown parameters, and to pages without entries', async () => {
      const account = target.account();
      const path = await makeFiles(account, 'hpc_one');
      expectProblem(await read(account, `${path}?page=1`), 400);
      expectProblem(await read(account, `${path}?limit=0`), 400);
    });
  });
}
