import { expect, it } from 'vitest';
import { banUser, unbanUser } from '#lib/bans/ban-user.ts';
import { catalog, defaultProject, findProject, findSystem } from '#lib/catalog/catalog.ts';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { QuotaNotFoundError, SubmissionBannedError } from '#lib/quotas/errors.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { openQuota } from '#lib/quotas/quota.ts';
import { readQuota, readQuotas } from '#lib/quotas/quota-store.ts';
import { openAnotherQuota, readOwnQuotas } from '#lib/quotas/welcome.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { UserNotFoundError } from '#lib/users/errors.ts';
import type { Profile } from '#lib/users/profile.ts';
import { findProfile, saveBans } from '#lib/users/profile-store.ts';
import { listUsers } from '#lib/users/user-directory.ts';
import { countUsers, projectName, systemName, userId } from '#test/fixtures/names.ts';
import { openGivenNumbers } from '#tools/transfer/given-numbers.ts';
import { importRecord } from '#tools/transfer/import-record.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { createWorld, expectAccountAddsUp } from '../fixtures/life.ts';
import { readActs } from '../fixtures/read-acts.ts';

const one = { hpc: systemName('hpc_one'), project: projectName('proj_hpc_one_01') };
const two = { hpc: systemName('hpc_two'), project: projectName('proj_hpc_two_01') };
const systemOne = findSystem(catalog, 'hpc_one');
const later = findProject(findSystem(catalog, 'hpc_two'), 'proj_hpc_two_02');
const at = new Date('2026-01-01T00:00:00Z');
const by = '100001';

onEveryEngine('bans on $name', (engine) => {
  const table = tableForAll(engine);
  const newUser = countUsers();

  type Place = typeof one;
  const ban = (user: UserId, from?: Place, reason = 'A loop went wrong.') =>
    banUser(table, catalog, { user, from, reason, by }, at);
  const unban = (user: UserId, from?: Place) =>
    unbanUser(table, { user, from, reason: 'It is mended.', by }, at);
  const submit = (user: UserId, hpc: SystemName) => createWorld(table, hpc).submit(user);
  const submits = (user: UserId, hpc: SystemName) =>
    submit(user, hpc).then(
      () => true,
      (error: unknown) => {
        if (error instanceof SubmissionBannedError) return String(error.facts?.reason);
        throw error;
      },
    );
  const acts = async (user: UserId) =>
    (await readActs(table, at)).filter((item) => item.user === user);
  /** Grants a quota in a project that is not part of the welcome. */
  async function grantLater(user: UserId): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      const profile = await findProfile(table, user);
      const id = await takeNumbers(table, 'quota');
      const quota = openQuota({ id, user, project: later }, { seconds: 100, kilobytes: 1 });
      const written = await writeTransaction(table, openAnotherQuota(profile, quota).steps).then(
        () => true,
        (error: unknown) => {
          if (error instanceof StaleReadError) return false;
          throw error;
        },
      );
      if (written) return;
    }
    throw new Error('The profile kept changing.');
  }

  it('from one project do not affect others, and are lifted separately', async () => {
    const user = newUser();
    await submit(user, systemName('hpc_one'));
    await ban(user, one, 'only here');
    expect(await submits(user, systemName('hpc_one'))).toBe('only here');
    expect(await submits(user, systemName('hpc_two'))).toBe(true);
    await ban(user, undefined, 'from everything');
    expect(await submits(user, systemName('hpc_one'))).toBe('from everything');
    expect(await submits(user, systemName('hpc_two'))).toBe('from everything');
    await unban(user);
    expect(await submits(user, systemName('hpc_one'))).toBe('only here');
    expect(await submits(user, systemName('hpc_two'))).toBe(true);
    await ban(user);
    await unban(user, one);
    expect(await submits(user, systemName('hpc_one'))).toBe('A loop went wrong.');
    await unban(user);
    expect(await submits(user, systemName('hpc_one'))).toBe(true);
  });

  it('still let a banned user read quotas and cancel a job', async () => {
    const user = newUser();
    const job = await submit(user, systemName('hpc_one'));
    await ban(user);
    expect(await readOwnQuotas(table, catalog, user)).toHaveLength(2);
    const cancelled = await deleteJob(table, accountOf(job), job.jobId, at);
    expect(cancelled).toMatchObject({ stage: 'CANCELED' });
    await expectAccountAddsUp(table, job);
  });

  it('are recorded once in the audit, with the previous reason', async () => {
    const user = newUser();
    const first = await ban(user, two, 'a reason');
    expect(await ban(user, two, 'a reason')).toEqual(first);
    await ban(user, two, 'a better reason');
    await unban(user, two);
    const lifted = await unban(user, two);
    expect(lifted.bans).toEqual({ projects: [] });
    const told = await acts(user);
    expect(told.map(({ kind, reason, details }) => [kind, reason, details.ban])).toEqual(
      expect.arrayContaining([
        ['user-banned', 'a reason', { before: null, after: 'a reason' }],
        ['user-banned', 'a better reason', { before: 'a reason', after: 'a better reason' }],
        ['user-unbanned', 'It is mended.', { before: 'a better reason', after: null }],
      ]),
    );
    expect(told).toHaveLength(3);
    for (const act of told) {
      expect(act).toMatchObject({ by, hpc: two.hpc, project_name: two.project });
    }
  });

  it('apply to a new user before the first contact', async () => {
    const user = newUser();
    const profile = await ban(user);
    expect(profile).toMatchObject({ user, bans: { everywhere: 'A loop went wrong.' } });
    expect(await submits(user, systemName('hpc_one'))).toBe('A loop went wrong.');
    expect(await submits(user, systemName('hpc_two'))).toBe('A loop went wrong.');
  });

  it('hold in any order when they race with first contacts', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const user = newUser();
      await Promise.all([
        ban(user),
        submits(user, systemName('hpc_one')),
        submits(user, systemName('hpc_two')),
      ]);
      const quotas = await readQuotas(table, user);
      expect(quotas.map(({ bans }) => bans.everywhere)).toEqual([
        'A loop went wrong.',
        'A loop went wrong.',
      ]);
      expect(await submits(user, systemName('hpc_one'))).toBe('A loop went wrong.');
    }
  });

  it('let earlier submissions through and none after, with submissions in flight', async () => {
    const user = newUser();
    const job = await submit(user, systemName('hpc_one'));
    let banned = false;
    const outcomes: { begunBanned: boolean; outcome: string | boolean }[] = [];
    const submitOften = async () => {
      for (let turn = 0, done = false; turn < 500 && !done; turn += 1) {
        const begunBanned = banned;
        outcomes.push({ begunBanned, outcome: await submits(user, systemName('hpc_one')) });
        done = begunBanned;
      }
    };
    const banMidway = async () => {
      await submit(user, systemName('hpc_one'));
      await ban(user, one);
      banned = true;
    };
    await Promise.all([banMidway(), submitOften(), submitOften(), submitOften()]);
    const after = outcomes.filter(({ begunBanned }) => begunBanned);
    expect(after).toHaveLength(3);
    expect(new Set(after.map(({ outcome }) => outcome))).toEqual(new Set(['A loop went wrong.']));
    const through = outcomes.filter(({ outcome }) => outcome === true);
    const quota = await readQuota(table, { user, ...one });
    expect(quota?.activeJobs).toBe(through.length + 2);
    await expectAccountAddsUp(table, job);
  });

  it('and a new quota cannot both be written from the same reading', async () => {
    const user = newUser();
    await readOwnQuotas(table, catalog, user);
    const profile = await findProfile(table, user);
    await grantLater(user);
    const bans = { everywhere: 'too late', projects: [] };
    await expect(writeTransaction(table, [saveBans(profile, bans)])).rejects.toThrow(
      StaleReadError,
    );
    const other = newUser();
    await readOwnQuotas(table, catalog, other);
    const unbanned = await findProfile(table, other);
    await ban(other);
    const quota = openQuota({ id: 1, user: other, project: later }, { seconds: 1, kilobytes: 1 });
    await expect(writeTransaction(table, openAnotherQuota(unbanned, quota).steps)).rejects.toThrow(
      StaleReadError,
    );
    expect(await readQuotas(table, other)).toHaveLength(2);
  });

  it('are inherited by a quota that is granted later', async () => {
    const user = newUser();
    await ban(user);
    await grantLater(user);
    const place = { user, hpc: later.hpc, project: later.name };
    expect((await readQuota(table, place))?.bans).toEqual({ everywhere: 'A loop went wrong.' });
    await unban(user);
    expect((await readQuota(table, place))?.bans).toEqual({});
  });

  it('are inherited by a quota that is imported later', async () => {
    const user = newUser();
    await ban(user);
    const quota = openQuota({ id: 77, user, project: later }, { seconds: 100, kilobytes: 1 });
    const numbers = await openGivenNumbers(table, catalog, new Set());
    await importRecord({ table, catalog, dryRun: false }, numbers, { quota });
    const place = { user, hpc: later.hpc, project: later.name };
    expect((await readQuota(table, place))?.bans).toEqual({ everywhere: 'A loop went wrong.' });
  });

  it('miss no quota that is granted at the same moment', async () => {
    for (let turn = 0; turn < 8; turn += 1) {
      const user = newUser();
      await readOwnQuotas(table, catalog, user);
      await Promise.all([grantLater(user), ban(user)]);
      const quotas = await readQuotas(table, user);
      expect(quotas.map(({ bans }) => bans)).toEqual(
        Array.from({ length: 3 }, () => ({ everywhere: 'A loop went wrong.' })),
      );
    }
  });

  it('reach the other quotas if one is removed at the same moment', async () => {
    const user = newUser();
    await readOwnQuotas(table, catalog, user);
    interruptBefore(table, 'TransactWriteItemsCommand', () =>
      removeQuota(table, { user, project: defaultProject(systemOne), reason: 'over', by }, at),
    );
    await ban(user);
    const quotas = await readQuotas(table, user);
    expect(quotas.map(({ project, bans }) => [project.hpc, bans])).toEqual([
      [two.hpc, { everywhere: 'A loop went wrong.' }],
    ]);
    expect((await acts(user)).map(({ kind }) => kind).sort()).toEqual([
      'quota-removed',
      'user-banned',
    ]);
  });

  it('are written only over the profile that was read, at the first change and later', async () => {
    const user = newUser();
    const bans = { everywhere: 'too late', projects: [] };
    const neverSeen: Profile = {
      user,
      firstSeen: at,
      bans: { projects: [] },
      welcomedOn: [],
      revision: 0,
    };
    const write = (profile: Profile) => writeTransaction(table, [saveBans(profile, bans)]);
    await expect(write(neverSeen)).rejects.toThrow(StaleReadError);
    await expect(findProfile(table, user)).rejects.toThrow(UserNotFoundError);
    await ban(user, undefined, 'first');
    await expect(write(neverSeen)).rejects.toThrow(StaleReadError);
    const first = await findProfile(table, user);
    await ban(user, undefined, 'second');
    await expect(write(first)).rejects.toThrow(StaleReadError);
    const second = await findProfile(table, user);
    expect(second).toMatchObject({ bans: { everywhere: 'second' }, revision: 2 });
    await write(second);
    expect(await findProfile(table, user)).toMatchObject({ bans, revision: 3 });
  });

  it('all hold if several are written at once', async () => {
    const user = newUser();
    await readOwnQuotas(table, catalog, user);
    await Promise.all([ban(user, one, 'here'), ban(user, two, 'there'), ban(user)]);
    const { bans } = await findProfile(table, user);
    expect(bans.everywhere).toBe('A loop went wrong.');
    expect(bans.projects).toHaveLength(2);
    const quotas = await readQuotas(table, user);
    expect(quotas.map((quota) => quota.bans.here)).toEqual(['here', 'there']);
    expect(await acts(user)).toHaveLength(3);
  });

  it('need a quota in the project, and lifting one needs a known user', async () => {
    const user = newUser();
    const place = { hpc: later.hpc, project: later.name };
    await expect(ban(user, place)).rejects.toThrow(QuotaNotFoundError);
    // Projects on two systems may have the same name.
    const elsewhere = { hpc: one.hpc, project: two.project };
    await expect(ban(user, elsewhere)).rejects.toThrow(QuotaNotFoundError);
    await expect(unban(user, place)).rejects.toThrow(QuotaNotFoundError);
    await expect(unban(userId('999999'))).rejects.toThrow(UserNotFoundError);
    expect(await acts(user)).toEqual([]);
  });

  it('appear in the list of all users, in pages, each user once, by number', async () => {
    const before = newUser();
    await ban(before, one, 'listed');
    for (const user of ['10007', '9', '100000000000000000000', '8']) {
      await readOwnQuotas(table, catalog, userId(user));
    }
    const seen: string[] = [];
    let after: UserId | undefined;
    for (let pages = 0; pages < 100; pages += 1) {
      const page = await listUsers(table, 3, after);
      seen.push(...page.entries.map(({ user }) => user));
      const listed = page.entries.find(({ user }) => user === before);
      if (listed) expect(listed.bans.projects).toEqual([{ ...one, reason: 'listed' }]);
      after = page.next;
      if (after === undefined) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(['10007', '9', '100000000000000000000', '8']));
    expect(seen.at(-1)).toBe('100000000000000000000');
    expect(seen.map(BigInt)).toEqual(
      seen.map(BigInt).toSorted((a, b) => (a < b ? -1 : Number(a > b))),
    );
  });
});
