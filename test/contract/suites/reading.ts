import { beforeAll, describe, expect, it } from 'vitest';
import { ask, askRaw, bearer } from '../ask.ts';
import { invalidJobIds } from '../cases/missing.ts';
import { bothForms, jobLists } from '../cases/reads.ts';
import { endedJobs, putJobs } from '../ended-jobs.ts';
import { readList } from '../lists.ts';
import { expectAscending, expectJob, expectProblem, type Job, withoutInstance } from '../shapes.ts';
import { makeJob, pathOfJob, projects } from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';

/** Interface 4.1: list or fetch jobs. */
export function readingSuite(target: Target): void {
  describe('reading jobs', () => {
    let account: Account;
    let onOne: Job;
    let onTwo: Job;

    beforeAll(async () => {
      account = target.account();
      onOne = await makeJob(target, account);
      onTwo = await makeJob(target, account, { hpc: 'hpc_two' });
    });

    it.each(bothForms(jobLists))(
      '$section GET $path lists $says',
      async ({ path, hpc, project }) => {
        const jobs = await readList(target, account, path);
        const belongs = (job: Job) =>
          (hpc ?? job.project_hpc.toLowerCase()) === job.project_hpc.toLowerCase() &&
          (project ?? job.project_name) === job.project_name;
        expect(jobs.filter((job) => !belongs(job))).toEqual([]);
        const ids = jobs.map(({ id }) => id);
        expect(ids).toEqual(
          expect.arrayContaining([onOne, onTwo].filter(belongs).map((job) => job.id)),
        );
        expectAscending(ids);
        expect(jobs.filter(({ owner }) => owner !== account.user)).toEqual([]);
      },
    );

    itNeeding(target, 'newcomer')('4.1 a user without jobs has empty lists', async () => {
      const { token } = target.account();
      for (const { path } of jobLists) {
        const { status, text } = await ask(target, { path, token });
        expect({ path, status, text }).toEqual({ path, status: 200, text: '[]' });
      }
    });

    it.each(['with', 'without'])('4.1 a single job is fetched %s the slash', async (slash) => {
      for (const job of [onOne, onTwo]) {
        const path = slash === 'with' ? pathOfJob(job) : pathOfJob(job).slice(0, -1);
        const found = expectJob(await ask(target, { path, token: account.token }));
        expect(lasting(found)).toEqual(lasting(job));
      }
    });

    it.each(['hpc_one', 'hpc_two'] as const)(
      '4.1 a job on %s is in every list and fetchable right after its 201',
      async (hpc) => {
        const job = await makeJob(target, account, { hpc });
        const found = expectJob(await ask(target, { path: pathOfJob(job), token: account.token }));
        expect(lasting(found)).toEqual(lasting(job));
        for (const path of ['/jobs/', `/jobs/${hpc}/`, `/jobs/${hpc}/${projects[hpc]}/`]) {
          const listed = await readList(target, account, path);
          expect(lasting(listed.at(-1))).toEqual(lasting(job));
        }
      },
    );

    it('2.2 ids of later jobs are higher', async () => {
      const jobs = [];
      for (let count = 0; count < 3; count += 1) jobs.push(await makeJob(target, account));
      expectAscending(jobs.map(({ id }) => id));
      expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(3);
    });

    for (const { id, why } of invalidJobIds) {
      it(`7 GET of the job ${id.slice(0, 60)} is 404: ${why}`, async () => {
        for (const [hpc, project] of Object.entries(projects)) {
          const path = `/jobs/${hpc}/${project}/${id}/`;
          const answer = await askRaw(target, { path, headers: authorization(account) });
          expect(expectProblem(answer, 404).type).toBe('urn:slipway:problem:job-not-found');
        }
      });
    }

    it('7 GET of an own job is 404 in another place or spelling', async () => {
      const { job_id } = onOne;
      const paths = [
        `/jobs/hpc_two/proj_hpc_two_01/${job_id}/`,
        `/jobs/hpc_one/proj_hpc_one_01/${job_id.toLowerCase()}/`,
        `/jobs/hpc_one/proj_hpc_one_01/${job_id.slice(0, -1)}/`,
        `/jobs/hpc_one/proj_hpc_one_01/${job_id}%20/`,
        `/jobs/hpc_one/proj_hpc_one_01/${job_id}/more/`,
        `/jobs/hpc_one/${job_id}/`,
      ];
      for (const path of paths) {
        expectProblem(await ask(target, { path, token: account.token }), 404);
      }
    });

    itNeeding(target, 'other')(
      '5 the job of somebody else is 404, with the body of a job that does not exist',
      async () => {
        const { token } = target.other();
        const foreign = await ask(target, { path: pathOfJob(onOne), token });
        const path = pathOfJob({ ...onOne, job_id: '00000000-0000-4000-8000-000000000000' });
        const missing = await ask(target, { path, token });
        const problem = withoutInstance(expectProblem(foreign, 404));
        expect(problem).toEqual(withoutInstance(expectProblem(missing, 404)));
        expect(foreign.text).not.toContain(account.user);
      },
    );

    itNeeding(target, 'other')('5 the jobs of somebody else are in no list', async () => {
      const other = target.other();
      for (const { path } of jobLists) {
        const jobs = await readList(target, other, path);
        expect(jobs.filter(({ owner }) => owner !== other.user)).toEqual([]);
      }
    });

    it('3 jobs that ended are in a final stage, with their end_date', async () => {
      const jobs = await readList(target, account, '/jobs/?terminal=true&limit=5', 1);
      expect(jobs.filter((job) => !job.terminal_stage || job.end_date === null)).toEqual([]);
    });

    itNeeding(target, 'process')(
      '3 SUCCESSFUL on hpc_one and COMPLETED on hpc_two are shown as the examples show them',
      async () => {
        const seeded = target.account();
        await putJobs(endedJobs(seeded.user).map(({ stored }) => stored));
        const shown = endedJobs(seeded.user).map(({ shown }) => shown);
        expect(await readList(target, seeded, '/jobs/')).toEqual(shown);
        for (const job of shown) {
          const found = await ask(target, { path: pathOfJob(job), token: seeded.token });
          expect(expectJob(found)).toEqual(job);
        }
      },
    );
  });
}

/** What of a job no HPC system can change meanwhile. */
function lasting(job: Job | undefined) {
  if (!job) return undefined;
  const { stage: _, terminal_stage: __, failed: ___, end_date: ____, ...rest } = job;
  return rest;
}

function authorization({ token }: Account): string[] {
  return Object.entries(bearer(token)).flat();
}
