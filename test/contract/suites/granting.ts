import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Act } from '#lib/http/answers/administration.ts';
import { QuotaWithUsage } from '#lib/http/answers/quota.ts';
import { type Answer, ask } from '../ask.ts';
import { badAdminQueries, badGrants } from '../cases/bad-grants.ts';
import { expectProblem, expectQuotas } from '../shapes.ts';
import { makeJob } from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';

/** Beyond the contract: what administrators do with quotas, and what is told of it. */
export function grantingSuite(target: Target): void {
  describe('granting', () => {
    const itAsAdministrator = itNeeding(target, 'administrator');
    /** What is granted stays granted: only to users who are nobody's. */
    const itGranting = itNeeding(target, 'newcomer');
    const second = '/hpc_two/proj_hpc_two_02/';

    const asAdministrator = (path: string, method = 'GET', body?: unknown) =>
      ask(target, {
        method,
        path,
        token: target.administrator().token,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });
    const put = ({ user }: Account, place: string, change: object) =>
      asAdministrator(`/admin/quotas/${user}${place}`, 'PUT', { reason: 'a course', ...change });
    const remove = ({ user }: Account, place: string) =>
      asAdministrator(`/admin/quotas/${user}${place}?reason=over`, 'DELETE');

    function expectGranted({ status, text, json }: Answer, wanted = 200) {
      expect({ status, text }).toEqual({ status: wanted, text: expect.any(String) });
      const quota = v.parse(QuotaWithUsage, json);
      for (const { left } of [quota.usage.time, quota.usage.space]) {
        expect(left).toBeGreaterThanOrEqual(0);
      }
      return quota;
    }

    itGranting('a quota is granted, corrected and removed, and all of it is told', async () => {
      const account = target.account();
      const path = `/admin/quotas/${account.user}${second}`;
      const made = await put(account, second, { set: { time: 7200, space: 100 } });
      expect(expectGranted(made, 201)).toMatchObject({ user: account.user, time_left: 7200 });
      expect(made.headers.get('location')).toBe(`${target.url}${path}`);
      expect(made.text).toMatch(/"space_left":\s?100\.0[,}]/);
      const own = await ask(target, { path: '/quotas/', token: account.token });
      expect(expectQuotas(own).map(({ project }) => project)).toEqual([1, 2, 3]);
      const more = { add: { time: -200 }, valid_until: '2099-01-01T00:00:00Z' };
      const { usage } = expectGranted(await put(account, second.replace(/\/$/, ''), more));
      expect(usage.time).toEqual({ granted: 7000, left: 7000, held: 0, used: 0 });
      expect(usage.valid_until).toBe('2099-01-01T00:00:00Z');
      expect(usage.renews).toBeNull();
      const renews = {
        every: 'yearly',
        on: 28,
        month: 2,
        to: { time: 60, space: 1 },
        carry_over: { time: 0, space: 0 },
      };
      const renewing = expectGranted(await put(account, second, { renews })).usage.renews;
      expect(renewing).toEqual({
        ...renews,
        next: expect.stringMatching(/^\d{4}-02-28T00:00:00Z$/),
      });
      expect(expectGranted(await put(account, second, { renews: null })).usage).toEqual(usage);
      const same = await put(account, second, { set: { time: 7000 } });
      expect(expectGranted(same).usage).toEqual(usage);
      expect(expectGranted(await remove(account, second)).time_left).toBe(7000);
      expectProblem(await remove(account, second), 404);
      const ledger = await asAdministrator(`${path}ledger/`);
      expect(ledger.json).toMatchObject([
        { kind: 'correction', time: -7000, time_left: 0 },
        { kind: 'correction', time: -200, time_left: 7000 },
        { kind: 'grant', time: 7200, time_left: 7200 },
      ]);
      const audit = await asAdministrator(`/admin/audit/?user=${account.user}`);
      expect(v.parse(v.array(Act), audit.json).map(({ kind }) => kind)).toEqual([
        'quota-removed',
        'quota-corrected',
        'quota-corrected',
        'quota-corrected',
        'quota-granted',
      ]);
    });

    itGranting('what jobs hold can be neither taken away nor removed', async () => {
      const account = target.account();
      await makeJob(target, account);
      const quotas = expectQuotas(
        await ask(target, { path: '/quotas/', token: account.token }),
      ).filter((quota) => quota.time_left < 18_000_000);
      const [quota] = quotas;
      const place = `/${quota?.project_hpc.toLowerCase()}/${quota?.project_name}/`;
      for (const answer of [
        await put(account, place, { set: { time: 0 } }),
        await remove(account, place),
      ]) {
        const problem = expectProblem(answer, 409);
        expect(problem.type).toBe('urn:slipway:problem:quota-in-use');
        expect(problem).toMatchObject({ time: { granted: 18_000_000, left: quota?.time_left } });
      }
    });

    itGranting('many grants at once are done once, however often they are sent', async () => {
      const { user } = target.account();
      const { token } = target.administrator();
      const send = () =>
        ask(target, {
          method: 'POST',
          path: '/admin/quotas/?reason=a+course',
          token,
          headers: { 'content-type': 'text/csv', 'idempotency-key': `course-of-${user}` },
          body: `user_id,hpc,project_name,add.time\r\n${user},hpc_two,proj_hpc_two_02,60\r\n${user},hpc_two,none,60\r\n`,
        });
      const outcomes = [await send(), await send()].map(({ json }) => json);
      const refused = { line: 3, outcome: 'refused' };
      expect(outcomes).toMatchObject([
        [
          { line: 2, outcome: 'granted', user, change: { time: { before: 0, after: 60 } } },
          refused,
        ],
        [{ line: 2, outcome: 'unchanged', user, change: null }, refused],
      ]);
    });

    itGranting('a quota goes with its jobs, where that is asked for', async () => {
      const account = target.account();
      const job = await makeJob(target, account);
      const place = `/${job.project_hpc.toLowerCase()}/${job.project_name}/`;
      const path = `/admin/quotas/${account.user}${place}?reason=over&with_jobs=true`;
      expectGranted(await asAdministrator(path, 'DELETE'));
      const found = { path: `/jobs/?job_id=${job.job_id}`, token: account.token };
      const stage = expect.stringMatching(/^(CANCELED|DELETED)$/);
      expect((await ask(target, found)).json).toMatchObject([{ job_id: job.job_id, stage }]);
      expectProblem(await asAdministrator(path, 'DELETE'), 404);
    });

    itGranting('everybody’s quotas lead on page by page, and each is there once', async () => {
      const accounts = [target.account(), target.account(), target.account()];
      for (const account of accounts) await put(account, second, { set: { time: 1 } });
      const seen: string[] = [];
      const [, hpc, project] = second.split('/');
      let path: string | undefined = `/admin/quotas/?hpc=${hpc}&project=${project}&limit=2`;
      for (let pages = 0; path !== undefined && pages < 500; pages += 1) {
        const answer: Answer = await asAdministrator(path);
        const quotas = expectQuotas(answer);
        expect(quotas.length).toBeLessThanOrEqual(2);
        seen.push(...quotas.map(({ user }) => user));
        path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      expect(path).toBeUndefined();
      expect(seen).toEqual(expect.arrayContaining(accounts.map(({ user }) => user)));
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.map(Number)).toEqual(seen.map(Number).sort((a, b) => a - b));
    });

    for (const path of [
      '/admin/quotas/',
      '/admin/quotas?hpc=hpc_one',
      '/admin/quotas/?project=proj_hpc_two_01',
      '/admin/quotas/?hpc=hpc_two&project=proj_hpc_two_01&user=1',
    ]) {
      itAsAdministrator(`GET ${path} lists everybody’s quotas`, async () => {
        expectQuotas(await asAdministrator(path));
      });
    }

    for (const { body, named } of badGrants) {
      itAsAdministrator(
        `PUT /admin/quotas/... with ${JSON.stringify(body).slice(0, 80)} is 400`,
        async () => {
          const path = `/admin/quotas/1${second}`;
          expectProblem(await asAdministrator(path, 'PUT', body), 400, named);
        },
      );
    }

    for (const { path, named } of badAdminQueries) {
      itAsAdministrator(`GET ${path} is 400`, async () => {
        expectProblem(await asAdministrator(path), 400, named);
      });
    }

    itAsAdministrator('DELETE /admin/quotas/... without a reason is 400', async () => {
      const answer = await asAdministrator(`/admin/quotas/1${second}`, 'DELETE');
      expectProblem(answer, 400, ['query reason']);
    });

    it.each([
      ['PUT', `/admin/quotas/1${second}`],
      ['DELETE', `/admin/quotas/1${second}`],
      ['GET', '/admin/quotas/'],
      ['GET', '/admin/audit/'],
    ])('%s %s is 403 for others', async (method, path) => {
      const { token } = target.account();
      expectProblem(await ask(target, { method, path, token }), 403);
    });
  });
}
