import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { banUser } from '#lib/bans/ban-user.ts';
import { catalog, defaultProject, findProject, findSystem } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Renewal } from '#lib/catalog/renewal.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { QuotaNotFoundError } from '#lib/quotas/errors.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { openQuota, type Quota } from '#lib/quotas/quota.ts';
import { quotaToItem } from '#lib/quotas/quota-item.ts';
import { readQuotas } from '#lib/quotas/quota-store.ts';
import { readLedgerPage } from '#lib/quotas/read-ledger.ts';
import {
  estimateQuota,
  openAnotherQuota,
  readOwnQuota,
  readOwnQuotas,
  welcomeAndRead,
  welcomeUser,
} from '#lib/quotas/welcome.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import {
  counterKey,
  type PrimaryKey,
  type ProjectKey,
  profileKey,
  quotaKey,
} from '#lib/table/keys.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { changeItem } from '#lib/table/writes.ts';
import { findProfile, readProfile } from '#lib/users/profile-store.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { userId } from '#test/fixtures/names.ts';
import { submissionSample } from '#test/fixtures/submission-sample.ts';
import { thirdSystem, threeSystems } from '#test/fixtures/third-system.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { tableForEach } from '../engines/use-table.ts';

const systemOne = findSystem(catalog, 'hpc_one');
const systemTwo = findSystem(catalog, 'hpc_two');
const one = defaultProject(systemOne);
const two = defaultProject(systemTwo);
const later = findProject(systemTwo, 'proj_hpc_two_02');
const at = new Date('2026-11-15T08:30:00Z');
const user = userId('7');

const table = tableForEach();

const accountIn = ({ hpc, name: project }: Project, whose: UserId = user) => ({
  user: whose,
  hpc,
  project,
});

/** The part of a project that a quota stores. */
const asStored = ({ number, hpc, name }: Project) => ({ number, hpc, name });

/** Imports a quota for a user without a profile. */
async function bringIn(project: Project, id: number): Promise<Quota> {
  const quota = openQuota({ id, user, project }, { seconds: 5, kilobytes: 5 });
  await table.client.send(new PutCommand({ TableName: table.name, Item: quotaToItem(quota) }));
  return quota;
}

async function readItem(Key: PrimaryKey) {
  const command = new GetCommand({ TableName: table.name, Key, ConsistentRead: true });
  return (await table.client.send(command)).Item;
}

async function readLines(project: Project) {
  const list = { ...accountIn(project), since: undefined, until: undefined };
  return (await readLedgerPage(table, list, 100)).entries;
}

const remove = (project: Project) =>
  removeQuota(table, { user, project, reason: 'over', by: '100001' }, at);

describe('the first contact', () => {
  it('grants each system’s quota with its ledger line, and creates a profile', async () => {
    await welcomeUser(table, catalog, user, at);
    expect(await findProfile(table, user)).toEqual({
      user,
      firstSeen: at,
      bans: { projects: [] },
      welcomedOn: [one.hpc, two.hpc],
      revision: 0,
    });
    const quotas = await readQuotas(table, user);
    expect(quotas).toEqual([
      openQuota({ id: 1, user, project: asStored(one) }, systemOne.welcomeQuota),
      openQuota({ id: 2, user, project: asStored(two) }, systemTwo.welcomeQuota),
    ]);
    expect(await readLines(two)).toMatchObject([
      { kind: 'grant', ...systemTwo.welcomeQuota, at, by: 'slipway', reason: 'first contact' },
    ]);
  });

  it('grants a quota that renews if the catalog says so', async () => {
    const renews: Renewal = {
      every: 'monthly',
      on: 1,
      month: 1,
      to: { seconds: 3600, kilobytes: 10 },
      carryOver: { seconds: 0, kilobytes: 0 },
    };
    const renewing = { ...systemOne, welcomeQuota: { ...systemOne.welcomeQuota, renews } };
    await welcomeUser(table, { ...catalog, systems: [renewing, systemTwo] }, user, at);
    const next = new Date('2026-12-01T00:00:00Z');
    const quotas = await readQuotas(table, user);
    expect(quotas.map(({ renewal }) => renewal)).toEqual([{ rule: renews, next }, undefined]);
    expect(await readItem(quotaKey(accountIn(one)))).toMatchObject({
      due: 'DUE#EXPIRY#1',
      due_at: '2026-11-24T00:00:00.000Z',
    });
  });

  it('keeps an existing quota, and takes numbers only for the others', async () => {
    const brought = await bringIn(one, 70);
    await welcomeUser(table, catalog, user, at);
    const quotas = await readQuotas(table, user);
    expect(quotas.map(({ id }) => id)).toEqual([70, 1]);
    expect(quotas[0]?.time).toEqual(brought.time);
    expect(await readLines(one)).toEqual([]);
    expect(await takeNumbers(table, 'quota')).toBe(2);
  });

  it('takes no number if all quotas exist', async () => {
    await bringIn(one, 70);
    await bringIn(two, 71);
    await welcomeUser(table, catalog, user, at);
    expect(await readProfile(table, user)).toBeDefined();
    expect(await readItem(counterKey('quota'))).toBeUndefined();
  });

  it('happens once, whichever of two calls is first', async () => {
    interruptBefore(table, 'TransactWriteItemsCommand', () =>
      welcomeUser(table, catalog, user, at),
    );
    await welcomeUser(table, catalog, user, new Date('2027-01-01T00:00:00Z'));
    expect(await findProfile(table, user)).toMatchObject({ firstSeen: at });
    expect(await readQuotas(table, user)).toHaveLength(2);
    expect(await readLines(one)).toHaveLength(1);
  });

  it('keeps a quota that was created elsewhere meanwhile', async () => {
    interruptBefore(table, 'TransactWriteItemsCommand', () => bringIn(one, 70));
    await welcomeUser(table, catalog, user, at);
    expect((await readQuotas(table, user)).map(({ id }) => id)).toEqual([70, 3]);
    expect(await readLines(one)).toEqual([]);
  });

  it('happens when users read their own quotas, and only once', async () => {
    expect(await readOwnQuotas(table, catalog, user, two.hpc)).toMatchObject([
      { project: asStored(two) },
    ]);
    expect(await readOwnQuotas(table, catalog, user)).toHaveLength(2);
    await remove(one);
    await remove(two);
    expect(await readOwnQuotas(table, catalog, user)).toEqual([]);
    await expect(readOwnQuota(table, catalog, accountIn(one))).rejects.toThrow(QuotaNotFoundError);
    const other = accountIn(two, userId('8'));
    expect(await readOwnQuota(table, catalog, other)).toMatchObject({
      user: '8',
      project: asStored(two),
    });
  });

  it('is not triggered by an error other than a missing quota', async () => {
    const read = () => Promise.reject(new Error('no light'));
    await expect(welcomeAndRead(table, catalog, user, read)).rejects.toThrow('no light');
    expect(await readProfile(table, user)).toBeUndefined();
  });
});

describe('the first contact with a system that was added later', () => {
  const three = defaultProject(thirdSystem);
  const ban = (from?: ProjectKey) =>
    banUser(table, threeSystems, { user, by: '100001', reason: 'a loop', from }, at);

  /** Makes a profile from before welcomes were recorded. */
  async function forgetSystems() {
    await changeItem(table, profileKey(user), { set: { welcomed_on: undefined } });
  }

  beforeEach(() => welcomeUser(table, catalog, user, at));

  it('grants its quota once, even for ten simultaneous calls', async () => {
    const asked = { system: thirdSystem, project: three, nodes: 1, coresPerNode: 1, extras: {} };
    const submission = { ...submissionSample, ...asked, owner: user, requestedRuntime: 0.01 };
    const { inputs } = createMemoryFiles();
    const submit = () => submitJob({ table, catalog: threeSystems, inputs }, submission, 'a key');
    const reads = Array.from({ length: 3 }, () => [
      readOwnQuotas(table, threeSystems, user),
      readOwnQuotas(table, threeSystems, user, three.hpc),
      readOwnQuota(table, threeSystems, accountIn(three)),
    ]);
    await Promise.all([submit(), ...reads.flat()]);
    expect(await readQuotas(table, user)).toMatchObject([
      { id: 1, project: asStored(one) },
      { id: 2, project: asStored(two) },
      { project: asStored(three), activeJobs: 1 },
    ]);
    const granted = (await readLines(three)).filter(({ kind }) => kind === 'grant');
    expect(granted).toMatchObject([{ ...thirdSystem.welcomeQuota, reason: 'first contact' }]);
    expect((await findProfile(table, user)).welcomedOn).toEqual([one.hpc, two.hpc, three.hpc]);
  });

  it.each([
    { profile: 'notes its systems', age: async () => undefined },
    { profile: 'is from before they were noted', age: forgetSystems },
  ])('does not grant again what was removed, if the profile $profile', async ({ age }) => {
    await remove(one);
    await age();
    const listed = await readOwnQuotas(table, threeSystems, user);
    expect(listed.map(({ project }) => project.name)).toEqual([two.name, three.name]);
    await remove(three);
    expect(await estimateQuota(table, thirdSystem, accountIn(three))).toBeUndefined();
    expect(await readOwnQuotas(table, threeSystems, user)).toHaveLength(1);
    expect((await findProfile(table, user)).welcomedOn).toEqual([one.hpc, two.hpc, three.hpc]);
  });

  it('respects the user’s bans, and an estimate before it agrees', async () => {
    await banUser(table, catalog, { user, by: '100001', reason: 'left' }, at);
    await forgetSystems();
    const estimate = await estimateQuota(table, thirdSystem, accountIn(three));
    const [, , quota] = await readOwnQuotas(table, threeSystems, user);
    expect(quota).toEqual({ ...estimate, id: 3, project: asStored(three) });
    expect(quota?.bans).toEqual({ everywhere: 'left' });
  });

  it('comes before a grant there and before a ban from there', async () => {
    const change = { amounts: { mode: 'add', seconds: 5, kilobytes: 0 } } as const;
    const order = { user, project: three, by: '100001', reason: 'a course', change };
    const { quota } = await grantQuota(table, threeSystems, order, at);
    expect(quota.time.granted).toBe(thirdSystem.welcomeQuota.seconds + 5);
    await remove(three);
    await expect(ban(accountIn(three))).rejects.toThrow(QuotaNotFoundError);
  });

  it('costs nothing for users who have a quota on each system', async () => {
    await readOwnQuotas(table, threeSystems, user);
    const sent = vi.spyOn(table.client, 'send');
    await readOwnQuotas(table, threeSystems, user);
    expect(sent).toHaveBeenCalledTimes(1);
  });
});

describe('an estimate', () => {
  it('uses the existing quota', async () => {
    await bringIn(two, 70);
    expect(await estimateQuota(table, systemTwo, accountIn(two))).toMatchObject({ id: 70 });
  });

  it('for a new user uses what the first contact would grant', async () => {
    expect(await estimateQuota(table, systemTwo, accountIn(two))).toEqual(
      openQuota({ id: 0, user, project: two }, systemTwo.welcomeQuota),
    );
    expect(await estimateQuota(table, systemTwo, accountIn(later))).toBeUndefined();
    expect(await readProfile(table, user)).toBeUndefined();
    expect(await readQuotas(table, user)).toEqual([]);
  });

  it('for a known user without a quota finds none', async () => {
    await welcomeUser(table, catalog, user, at);
    await remove(two);
    expect(await estimateQuota(table, systemTwo, accountIn(two))).toBeUndefined();
  });

  it('sees the quota of a first contact that came right after its first read', async () => {
    // The first read is for the quota, the second for the profile.
    interruptBefore(table, 'GetItemCommand', async () => {
      interruptBefore(table, 'GetItemCommand', () => welcomeUser(table, catalog, user, at));
    });
    expect(await estimateQuota(table, systemTwo, accountIn(two))).toMatchObject({ id: 2 });
  });
});

describe('another quota', () => {
  it('carries the bans of its project, and is due for its first warning', async () => {
    await welcomeUser(table, catalog, user, at);
    const profile = await findProfile(table, user);
    const banned = { hpc: later.hpc, project: later.name, reason: 'a loop' };
    const elsewhere = { hpc: two.hpc, project: two.name, reason: 'another' };
    const bans = { everywhere: 'all', projects: [elsewhere, banned] };
    const validUntil = new Date('2027-01-15T00:00:00Z');
    const amount = { seconds: 1, kilobytes: 1 };
    const quota = openQuota({ id: 9, user, project: later }, amount, { validUntil });
    await writeTransaction(table, openAnotherQuota({ ...profile, bans }, quota, at).steps);
    expect(await readItem(quotaKey(accountIn(later)))).toMatchObject({
      banned_here: 'a loop',
      banned_everywhere: 'all',
      due: 'DUE#EXPIRY#1',
      due_at: '2026-12-16T00:00:00.000Z',
    });
    expect(await findProfile(table, user)).toMatchObject({ revision: 1 });
  });
});
