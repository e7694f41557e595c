import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../ask.ts';
import { bothForms, quotaLists, singleQuotas } from '../cases/reads.ts';
import { expectProblem, expectQuota, expectQuotas } from '../shapes.ts';
import { makeJob } from '../submit.ts';
import { type Account, itNeeding, readClaims, type Target } from '../target.ts';
import { expectOwnList } from './quotas.ts';

/** Interface 4.4: quotas of a single user, for administrators. */
export function administrationSuite(target: Target): void {
  describe('quotas of a single user', () => {
    const itAsAdministrator = itNeeding(target, 'administrator');
    let account: Account;

    beforeAll(async () => {
      account = target.account();
      await makeJob(target, account);
    });

    const askAs = ({ token }: Account, path: string) => ask(target, { path, token });

    /** Where jobs run, one may end between two reads: what is left is then not compared. */
    const still = (text: string) =>
      target.has('newcomer') ? text : text.replaceAll(/"(?:space|time)_left":[^,]+,/g, '');

    for (const { path, says, hpc } of bothForms(quotaLists)) {
      itAsAdministrator(`4.4 GET /admin/quotas/{user_id}${path} lists ${says}`, async () => {
        const seen = await askAs(target.administrator(), `/admin/quotas/${account.user}${path}`);
        expectOwnList(expectQuotas(seen), account, hpc);
        expect(still(seen.text)).toBe(still((await askAs(account, `/quotas${path}`)).text));
      });
    }

    for (const { path } of bothForms([...singleQuotas])) {
      itAsAdministrator(`4.4 GET /admin/quotas/{user_id}${path} is one quota`, async () => {
        const seen = await askAs(target.administrator(), `/admin/quotas/${account.user}${path}`);
        expect(expectQuota(seen).user).toBe(account.user);
        expect(still(seen.text)).toBe(still((await askAs(account, `/quotas${path}`)).text));
      });
    }

    it.each(bothForms([...quotaLists, ...singleQuotas]))(
      '5 GET /admin/quotas/{user_id}$path is 403 for others, even for their own',
      async ({ path }) => {
        const answer = await askAs(account, `/admin/quotas/${account.user}${path}`);
        expect(expectProblem(answer, 403).type).toBe('urn:slipway:problem:not-administrator');
      },
    );

    it('5 others are refused before they learn whether a user or a system exists', async () => {
      for (const path of ['/0/', '/alice/', '/0/hpc_three/', '/0/hpc_one/proj_hpc_two_01/']) {
        expectProblem(await askAs(account, `/admin/quotas${path}`), 403);
      }
    });

    itAsAdministrator('4.4 a user that nobody has seen has no quotas', async () => {
      const administrator = target.administrator();
      const user = unseenUser();
      for (const path of ['/', '/hpc_one/', '/hpc_two/']) {
        const answer = await askAs(administrator, `/admin/quotas/${user}${path}`);
        expect(expectQuotas(answer)).toEqual([]);
      }
      for (const { path } of singleQuotas) {
        const answer = await askAs(administrator, `/admin/quotas/${user}${path}`);
        expect(expectProblem(answer, 404).type).toBe('urn:slipway:problem:quota-not-found');
      }
      const again = await askAs(administrator, `/admin/quotas/${user}/`);
      expect(again.text).toBe('[]');
    });

    itNeeding(target, 'newcomer')('4.4 looking creates nothing', async () => {
      const newcomer = target.account();
      const administrator = target.administrator();
      for (const path of ['/', '/hpc_one/', '/hpc_one/proj_hpc_one_01/', '/']) {
        const { status, text } = await askAs(
          administrator,
          `/admin/quotas/${newcomer.user}${path}`,
        );
        expect(status === 404 || text === '[]', `${status} ${text}`).toBe(true);
      }
      const own = expectQuotas(await askAs(administrator, '/quotas/'));
      expect(own.filter(({ user }) => user !== administrator.user)).toEqual([]);
      const [first] = expectQuotas(await askAs(newcomer, '/quotas/'));
      expect(first).toMatchObject({ user: newcomer.user, time_left: 18_000_000 });
    });

    for (const [path, why] of [
      ['alice/', 'a user with a name'],
      ['hpc_one/', 'a system in the place of the user'],
      ['hpc_one/proj_hpc_one_01/', 'a system and a project without a user'],
      ['-1/', 'a user with a sign'],
      ['1.5/', 'a user with a point'],
      ['%EF%BC%91/', 'a user in full-width digits'],
      ['1%23QUOTA/', 'a user with a separator of keys'],
      [`${'1'.repeat(33)}/`, 'a user with 33 digits'],
      ['1/hpc_three/', 'an unknown system'],
      ['1/HPC_ONE/', 'a system in upper case'],
      ['1/hpc_one/proj_hpc_one_99/', 'an unknown project'],
      ['1/hpc_one/proj_hpc_two_01/', 'a project of the other system'],
      ['1/hpc_one/proj_hpc_one_01/x/', 'too many segments'],
    ] as const) {
      itAsAdministrator(`4.4 ${why} is 404 for administrators`, async () => {
        expectProblem(await askAs(target.administrator(), `/admin/quotas/${path}`), 404);
      });
    }

    const claims = (claims: Record<string, unknown>) => {
      const { issueToken, signToken } = target.issuer();
      const plain = readClaims(issueToken({ user: account.user }));
      return { user: account.user, token: signToken({ ...plain, ...claims }) };
    };

    for (const [name, change] of [
      ['groups', { groups: ['others', 'slipway-admin'] }],
      ['cognito:groups', { 'cognito:groups': ['slipway-admin'] }],
    ] as const) {
      itNeeding(target, 'key')(`5 ${name} with slipway-admin makes an administrator`, async () => {
        expectQuotas(await askAs(claims(change), `/admin/quotas/${account.user}/`));
      });
    }

    for (const change of [
      { groups: [] },
      { groups: ['admin'] },
      { groups: ['SLIPWAY-ADMIN'] },
      { groups: 'not-slipway-admin' },
      { groups: { 'slipway-admin': true } },
      { groups: [['slipway-admin']] },
      { role: 'slipway-admin', administrator: true },
      { groups: null },
    ]) {
      itNeeding(target, 'key')(`5 ${JSON.stringify(change)} makes none`, async () => {
        expectProblem(await askAs(claims(change), `/admin/quotas/${account.user}/`), 403);
      });
    }
  });
}

/** Nobody gives out identifiers of 30 digits. */
function unseenUser(): string {
  const digits = Array.from({ length: 30 }, () => Math.floor(Math.random() * 10));
  return `9${digits.join('')}`;
}
