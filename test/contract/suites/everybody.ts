import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { User } from '#lib/http/answers/administration.ts';
import { type Answer, ask } from '../ask.ts';
import { readPages } from '../lists.ts';
import { expectAscending, expectJob, expectJobs, expectProblem, type Job } from '../shapes.ts';
import { makeJob, pathOfJob, projects, submit } from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';

function expectUser(answer: Answer) {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  return v.parse(User, answer.json);
}

/** Beyond the contract: users, bans and everybody's jobs, for administrators. */
export function everybodySuite(target: Target): void {
  describe('administrators and everybody', () => {
    const itAsAdministrator = itNeeding(target, 'administrator');
    const itWithNewcomers = itNeeding(target, 'newcomer');
    let account: Account;
    let job: Job;

    beforeAll(async () => {
      account = target.account();
      job = await makeJob(target, account, { hpc: 'hpc_two' });
    });

    const askAs = ({ token }: Account, path: string, method = 'GET', body?: unknown) =>
      ask(target, {
        method,
        path,
        token,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });

    /** Global indexes are a moment behind. */
    async function askUntilFound(path: string): Promise<Answer> {
      const deadline = Date.now() + 10_000;
      for (;;) {
        const answer = await askAs(target.administrator(), path);
        if (answer.status !== 404 || Date.now() > deadline) return answer;
        await delay(100);
      }
    }
    const adminPath = (of: Job) => `/admin${pathOfJob(of)}`;

    it('are asked for the right first: 403 for others, at every path', async () => {
      for (const path of ['/admin/users/', `/admin/users/${account.user}/`, '/admin/jobs/']) {
        expectProblem(await askAs(account, path), 403);
      }
      const ban = `/admin/users/${account.user}/ban/`;
      expectProblem(await askAs(account, ban, 'PUT', { reason: 'me' }), 403);
      expectProblem(await askAs(account, `${ban}?reason=me`, 'DELETE'), 403);
      expectProblem(await askAs(account, `${adminPath(job)}?reason=me`, 'DELETE'), 403);
      expectJob(await askAs(account, pathOfJob(job)));
    });

    itAsAdministrator('read one job of anybody, and why it waits', async () => {
      const seen = expectJob(await askUntilFound(adminPath(job)));
      expect(seen).toMatchObject({ job_id: job.job_id, owner: account.user });
      const timeline = await askAs(target.administrator(), `${adminPath(job)}timeline/`);
      expect(timeline.json).toMatchObject({ job_id: job.job_id, stages: expect.any(Array) });
      const elsewhere = `/admin/jobs/hpc_one/${projects.hpc_one}/${job.job_id}/`;
      expectProblem(await askAs(target.administrator(), elsewhere), 404);
      expectProblem(await askAs(target.administrator(), `${adminPath(job)}secrets/`), 404);
    });

    itAsAdministrator('list the jobs of one user as that user does', async () => {
      const path = `/hpc_two/?order=desc&limit=5`;
      const own = expectJobs(await askAs(account, `/jobs${path}`));
      const list = `/admin/jobs${path}&user=${account.user}`;
      const seen = expectJobs(await askAs(target.administrator(), list));
      expect(seen.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
    });

    itWithNewcomers('list everybody’s jobs by id, in pages, each once', async () => {
      const other = target.account();
      const further = [
        await makeJob(target, other, { hpc: 'hpc_one' }),
        await makeJob(target, account, { hpc: 'hpc_one' }),
        await makeJob(target, other, { hpc: 'hpc_two' }),
      ];
      const administrator = target.administrator();
      // Not those of the examples, which are written beside the service with ids of their own.
      const path = '/admin/jobs/?limit=20&since=2020-01-01';
      const pages = await readPages(target, administrator, path, 1000);
      const jobs = pages.flatMap((page) => page.jobs);
      expectAscending(jobs.map(({ id }) => id));
      const ids = new Set(jobs.map(({ job_id }) => job_id));
      for (const { job_id } of [job, ...further]) expect(ids).toContain(job_id);
    });

    itWithNewcomers('ban from a project and from everything, and lift each alone', async () => {
      const user = target.account();
      const administrator = target.administrator();
      const ban = `/admin/users/${user.user}/ban/`;
      const here = `${ban}hpc_one/${projects.hpc_one}/`;
      const put = (path: string, reason: string) => askAs(administrator, path, 'PUT', { reason });
      const lift = (path: string) => askAs(administrator, `${path}?reason=done`, 'DELETE');
      const refused = async (hpc: 'hpc_one' | 'hpc_two', reason: string) => {
        const problem = expectProblem(await submit(target, user, { hpc }), 403);
        expect(problem).toMatchObject({ type: 'urn:slipway:problem:banned', reason });
      };
      expectProblem(await askAs(administrator, `/admin/users/${user.user}/`), 404);
      expect(expectUser(await put(here, 'only here')).bans).toHaveLength(1);
      await refused('hpc_one', 'only here');
      const mine = expectJob(await submit(target, user, { hpc: 'hpc_two' }), 201);
      const all = await put(ban, 'everything');
      expect(expectUser(all)).toMatchObject({ user: user.user, banned: 'everything' });
      expect((await put(ban, 'everything')).text).toBe(all.text);
      await refused('hpc_two', 'everything');
      expectJobs(await askAs(user, '/jobs/'));
      expect((await askAs(user, '/quotas/')).status).toBe(200);
      expectJob(await askAs(user, pathOfJob(mine), 'DELETE'));
      expect(expectUser(await lift(ban))).toMatchObject({ banned: null });
      await refused('hpc_one', 'only here');
      expect(expectUser(await lift(here)).bans).toEqual([]);
      expect(expectUser(await lift(here)).bans).toEqual([]);
      expectJob(await submit(target, user, { hpc: 'hpc_one' }), 201);
      expect(expectUser(await askAs(administrator, `/admin/users/${user.user}/`)).bans).toEqual([]);
    });

    itWithNewcomers('see every user once, by number', async () => {
      const administrator = target.administrator();
      const seen: string[] = [];
      let path: string | undefined = '/admin/users/?limit=50';
      for (let pages = 0; path !== undefined && pages < 200; pages += 1) {
        const answer: Answer = await askAs(administrator, path);
        seen.push(...v.parse(v.array(User), answer.json).map(({ user }) => user));
        path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      expect(seen).toContain(account.user);
      expectAscending(seen.map(Number));
    });

    itWithNewcomers('cancel anybody’s active job, with a reason, once', async () => {
      const owner = target.account();
      const living = await makeJob(target, owner, { hpc: 'hpc_one' });
      const path = adminPath(living);
      await askUntilFound(path);
      const administrator = target.administrator();
      expectProblem(await askAs(administrator, path, 'DELETE'), 400, ['query reason']);
      const first = await askAs(administrator, path, 'DELETE', { reason: 'It runs wild.' });
      expect(expectJob(first)).toMatchObject({ stage: 'CANCELED', owner: owner.user });
      expect((await askAs(administrator, `${path}?reason=again`, 'DELETE')).text).toBe(first.text);
      const timeline = await askAs(owner, `${pathOfJob(living)}timeline/`);
      expect(timeline.json).toMatchObject({
        reason: 'Cancelled by an administrator: It runs wild.',
      });
      expect((await askAs(owner, pathOfJob(living))).text).toBe(first.text);
    });

    itAsAdministrator('are told what is wrong with a request', async () => {
      const administrator = target.administrator();
      expectProblem(await askAs(administrator, '/admin/jobs/?user=alice'), 400, ['query user']);
      expectProblem(await askAs(administrator, '/admin/jobs/?owner=1'), 400, ['query owner']);
      expectProblem(await askAs(administrator, '/admin/users/?limit=101'), 400, ['query limit']);
      expectProblem(await askAs(administrator, '/admin/users/alice/'), 404);
      expectProblem(await askAs(administrator, '/admin/jobs/hpc_three/'), 404);
      const ban = '/admin/users/1/ban/';
      expectProblem(await askAs(administrator, ban, 'PUT', {}), 400, ['body reason']);
      expectProblem(await askAs(administrator, `${ban}hpc_one/`, 'PUT', { reason: 'x' }), 404);
      expectProblem(await askAs(administrator, ban), 405);
    });
  });
}
