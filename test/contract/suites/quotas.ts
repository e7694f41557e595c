import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../ask.ts';
import { bothForms, quotaLists, singleQuotas } from '../cases/reads.ts';
import {
  expectAscending,
  expectJob,
  expectProblem,
  expectQuota,
  expectQuotas,
  type Quota,
} from '../shapes.ts';
import { makeJob, submit } from '../submit.ts';
import { type Account, itNeeding, type Target } from '../target.ts';

/** What a newcomer is given on the first project of each system (design 2, Identity). */
const welcome = { space_left: 10_000_000, time_left: 18_000_000 };

/** Interface 4.3: own quotas, and the first contact that makes them. */
export function quotasSuite(target: Target): void {
  describe('own quotas', () => {
    let account: Account;

    beforeAll(async () => {
      account = target.account();
      await makeJob(target, account);
    });

    it.each(bothForms(quotaLists))('4.3 GET /quotas$path lists $says', async ({ path, hpc }) => {
      const answer = await ask(target, { path: `/quotas${path}`, token: account.token });
      const quotas = expectQuotas(answer);
      expectOwnList(quotas, account, hpc);
    });

    it.each(bothForms([...singleQuotas]))(
      '4.3 GET /quotas$path is one quota',
      async ({ path, ...place }) => {
        const answer = await ask(target, { path: `/quotas${path}`, token: account.token });
        expect(expectQuota(answer)).toMatchObject({ ...place, user: account.user });
      },
    );

    it('4.3 a single quota is the one of the list', async () => {
      const quotas = expectQuotas(await ask(target, { path: '/quotas/', token: account.token }));
      for (const quota of quotas) {
        const path = `/quotas/${quota.project_hpc.toLowerCase()}/${quota.project_name}/`;
        const { id, project } = expectQuota(await ask(target, { path, token: account.token }));
        expect({ id, project }).toEqual({ id: quota.id, project: quota.project });
      }
      expect(new Set(quotas.map(({ id }) => id)).size).toBe(quotas.length);
    });

    itNeeding(target, 'newcomer')(
      '4.3 a quota in a project of the catalog that was not granted is 404',
      async () => {
        const path = '/quotas/hpc_two/proj_hpc_two_02/';
        const problem = expectProblem(await ask(target, { path, token: account.token }), 404);
        expect(problem.type).toBe('urn:slipway:problem:quota-not-found');
      },
    );
  });

  describe('first contact', () => {
    const itFirst = itNeeding(target, 'newcomer');

    for (const path of ['/quotas/', '/quotas/hpc_two/', '/quotas/hpc_two/proj_hpc_two_01/']) {
      itFirst(`4.3 GET ${path} as the first call gives the quotas of a newcomer`, async () => {
        const account = target.account();
        await ask(target, { path, token: account.token });
        await expectWelcomed(target, account, 0);
      });
    }

    itFirst('2.3 space_left is written as a float, time_left as an integer', async () => {
      const { token } = target.account();
      const { text } = await ask(target, { path: '/quotas/hpc_two/proj_hpc_two_01/', token });
      expect(text).toMatch(/"space_left":\s?10000000\.0[,}]/);
      expect(text).toMatch(/"time_left":\s?18000000[,}]/);
    });

    itFirst('4.2 a submission may be the first call', async () => {
      const account = target.account();
      expectJob(await submit(target, account), 201);
      await expectWelcomed(target, account, 1);
    });

    itFirst('4.3 ten first reads at the same moment make one set of quotas', async () => {
      const account = target.account();
      const reads = Array.from({ length: 10 }, () =>
        ask(target, { path: '/quotas/', token: account.token }),
      );
      const answers = await Promise.all(reads);
      for (const answer of answers) expectQuotas(answer);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      await expectWelcomed(target, account, 0);
    });

    itFirst('4.2 ten first submissions at the same moment are ten jobs', async () => {
      const account = target.account();
      const answers = await Promise.all(Array.from({ length: 10 }, () => submit(target, account)));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
      const ids = answers.map((answer) => expectJob(answer, 201).id);
      expect(new Set(ids).size).toBe(10);
      await expectWelcomed(target, account, 10);
    });

    itFirst('4.2 five first reads and five first submissions at the same moment', async () => {
      const account = target.account();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          index % 2 === 0
            ? submit(target, account)
            : ask(target, { path: '/quotas/', token: account.token }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(
        Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 201 : 200)),
      );
      await expectWelcomed(target, account, 5);
    });

    itFirst('4.1 reading jobs gives nobody a quota', async () => {
      const account = target.account();
      await ask(target, { path: '/jobs/', token: account.token });
      const path = `/admin/quotas/${account.user}/`;
      const { token } = target.administrator();
      expect(expectQuotas(await ask(target, { path, token }))).toEqual([]);
    });
  });
}

/** The quotas of a newcomer who has submitted the example of hpc_one so many times. */
async function expectWelcomed(target: Target, { user, token }: Account, jobs: number) {
  const quotas = expectQuotas(await ask(target, { path: '/quotas/', token }));
  expect(quotas.map(({ id: _, ...quota }) => quota)).toEqual([
    {
      project: 1,
      project_hpc: 'HPC_ONE',
      project_name: 'proj_hpc_one_01',
      space_left: welcome.space_left - jobs,
      time_left: welcome.time_left - jobs * 14_400,
      user,
    },
    {
      project: 2,
      project_hpc: 'HPC_TWO',
      project_name: 'proj_hpc_two_01',
      ...welcome,
      user,
    },
  ]);
}

export function expectOwnList(quotas: readonly Quota[], account: Account, hpc?: string): void {
  const names = quotas.map(({ project_hpc }) => project_hpc.toLowerCase());
  const expected = hpc === undefined ? expect.arrayContaining(['hpc_one', 'hpc_two']) : [hpc];
  expect([...new Set(names)]).toEqual(expected);
  expect(quotas.filter(({ user }) => user !== account.user)).toEqual([]);
  expectAscending(quotas.map(({ project }) => project));
}
