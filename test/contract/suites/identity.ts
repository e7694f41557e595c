import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ask, askRaw } from '../ask.ts';
import { type BadToken, badAuthorizations, badTokens, goodClaims } from '../cases/bad-tokens.ts';
import { bothForms } from '../cases/reads.ts';
import { expectJob, expectProblem, expectQuotas, withoutInstance } from '../shapes.ts';
import { payloads, submit } from '../submit.ts';
import { type Account, itNeeding, readClaims, type Target } from '../target.ts';
import { type Witness, watch } from '../witness.ts';

/** Every endpoint that knows its caller (interface 4 and 5). */
const endpoints = [
  { method: 'GET', path: '/jobs/' },
  { method: 'GET', path: '/jobs/hpc_one/' },
  { method: 'GET', path: '/jobs/hpc_one/proj_hpc_one_01/' },
  { method: 'GET', path: '/jobs/hpc_one/proj_hpc_one_01/not-a-job/' },
  { method: 'POST', path: '/jobs/hpc_one/' },
  { method: 'POST', path: '/jobs/hpc_two/proj_hpc_two_01/' },
  { method: 'GET', path: '/quotas/' },
  { method: 'GET', path: '/quotas/hpc_two/' },
  { method: 'GET', path: '/quotas/hpc_two/proj_hpc_two_01/' },
  { method: 'GET', path: '/admin/quotas/306328/' },
  { method: 'GET', path: '/admin/quotas/306328/hpc_two/' },
  { method: 'GET', path: '/admin/quotas/306328/hpc_two/proj_hpc_two_01/' },
  { method: 'GET', path: '/hpc/' },
  { method: 'GET', path: '/projects/' },
];

/** Interface 5: authentication. */
export function identitySuite(target: Target): void {
  describe('identity', () => {
    let witness: Witness;
    let account: Account;

    beforeAll(async () => {
      account = target.account();
      witness = await watch(target, account);
    });

    for (const { method, path } of bothForms(endpoints)) {
      it(`5 ${method} ${path} without a token is 401`, async () => {
        expectUnauthorized(await ask(target, { method, path }));
      });
    }

    for (const { name, headers } of badAuthorizations) {
      it(`5 ${name} is 401, and nothing is written`, () =>
        witness.expectNothingWrittenBy(async ({ token }) => {
          const submission = [
            ...['Payload', JSON.stringify(payloads.hpc_one)],
            ...['Content-Disposition', 'attachment; filename=job_file.zip'],
          ];
          const given = headers(token);
          const path = '/jobs/hpc_one/';
          expectUnauthorized(
            await askRaw(target, { method: 'POST', path, headers: [...given, ...submission] }),
          );
          expectUnauthorized(await askRaw(target, { path: '/quotas/', headers: given }));
        }));
    }

    for (const { name, need, make } of badTokens) {
      const run = isForgeable(target, need) ? it : itNeeding(target, need ?? 'process');
      run(`5 a token ${name} is 401, and nothing is written`, () =>
        witness.expectNothingWrittenBy(async () => {
          const token = make(workshop(target, account));
          expectUnauthorized(await submit(target, { token }));
          for (const path of ['/quotas/', '/jobs/', `/admin/quotas/${account.user}/`]) {
            expectUnauthorized(await ask(target, { path, token }));
          }
        }),
      );
    }

    it('5 no answer tells which check failed', async () => {
      const tellings = new Set<string>();
      for (const { need, make } of badTokens) {
        if (!isForgeable(target, need) && !target.has(need ?? 'process')) continue;
        const token = make(workshop(target, account));
        const answer = await ask(target, { path: '/quotas/', token });
        tellings.add(JSON.stringify(withoutInstance(expectProblem(answer, 401))));
      }
      expect(tellings.size).toBe(1);
    });

    it('5 a wrong token is 401 before anything else that is wrong', async () => {
      const wrong = { token: 'token' };
      const paths = ['/jobs/hpc_three/', '/jobs/HPC_ONE/', '/jobs/hpc_one/proj_hpc_two_01/'];
      for (const path of paths) expectUnauthorized(await submit(target, wrong, { path }));
      expectUnauthorized(await submit(target, wrong, { payload: null, disposition: null }));
      expectUnauthorized(await ask(target, { ...wrong, path: '/jobs/?limit=0' }));
    });

    it('5 the scheme may be written in any case', async () => {
      for (const scheme of ['bearer', 'BEARER']) {
        const headers = ['Authorization', `${scheme} ${account.token}`];
        expectQuotas(await askRaw(target, { path: '/quotas/', headers }));
      }
    });

    for (const { name, change } of goodClaims) {
      itNeeding(target, 'key')(`5 a token ${name} is good`, async () => {
        const { claims, issuer } = workshop(target, account);
        const token = issuer().signToken({ ...claims, ...change });
        const quotas = expectQuotas(await ask(target, { path: '/quotas/', token }));
        expect(quotas.map(({ user }) => user)).toEqual([account.user, account.user]);
      });
    }

    it('5 the caller is the owner of the job and the user of the quotas', async () => {
      const job = expectJob(await submit(target, account, { fields: { runtime: '0.01' } }), 201);
      const quotas = expectQuotas(await ask(target, { path: '/quotas/', token: account.token }));
      const users = new Set([job.owner, ...quotas.map(({ user }) => user)]);
      expect([...users]).toEqual([account.user]);
    });
  });
}

/** A forgery needs no key, but a token that can be taken apart. */
function isForgeable(target: Target, need: BadToken['need']): boolean {
  if (need !== undefined) return false;
  return target.has('process') || readClaims(target.account().token) !== undefined;
}

function workshop(target: Target, { token }: Account) {
  return { token, claims: readClaims(token) ?? {}, issuer: () => target.issuer() };
}

function expectUnauthorized(answer: Answer): void {
  const problem = expectProblem(answer, 401);
  expect(problem.type).toBe('urn:slipway:problem:invalid-token');
  expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
}
