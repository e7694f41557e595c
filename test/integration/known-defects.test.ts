import { expect, it } from 'vitest';
import { banUser } from '#lib/bans/ban-user.ts';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { JobRefusedError } from '#lib/hpc/errors.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { endJob } from '#lib/jobs/life/end-job.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { countUsers, systemName } from '#test/fixtures/names.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { createWorld, expectAccountAddsUp } from '../fixtures/life.ts';

/** What services of this kind have got wrong before: each by its name, so that it does not return. */
onEveryEngine('on $name', (engine) => {
  const table = tableForAll(engine);
  const newUser = countUsers(7000);

  const timeOf = async ({ owner, project }: Job) =>
    (await findQuota(table, { user: owner, hpc: project.hpc, project: project.name })).time;

  const [one] = findSystem(catalog, 'hpc_one').projects;

  async function setTime(user: UserId, seconds: number) {
    const change = { amounts: { mode: 'set', seconds } } as const;
    const order = { user, project: one, by: '100001', reason: 'a test', change };
    return grantQuota(table, catalog, order);
  }

  it('settling returns the unused time, not the used', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const job = await world.submit(newUser(), { nodes: 2, requestedRuntime: 1 });
    expect(await timeOf(job)).toMatchObject({ left: 18_000_000 - 7200, held: 7200, used: 0 });
    const end = {
      stage: 'SUCCESSFUL',
      outcome: 'succeeded',
      endedAt: world.now(),
      ranSeconds: 900,
    } as const;
    await endJob(table, job, end, world.now());
    expect(await timeOf(job)).toMatchObject({ left: 18_000_000 - 1800, held: 0, used: 1800 });
    await expectAccountAddsUp(table, job);
  });

  it('cancelling returns seconds, not hours', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const job = await world.submit(newUser(), { nodes: 3, requestedRuntime: 2 });
    expect(await timeOf(job)).toMatchObject({ left: 18_000_000 - 21_600, held: 21_600 });
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    expect(await timeOf(job)).toMatchObject({ left: 18_000_000, held: 0, used: 0 });
    await expectAccountAddsUp(table, job);
  });

  it('an account at exactly 0 stays at 0', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const user = newUser();
    await setTime(user, 7200);
    const last = await world.submit(user, { nodes: 2, requestedRuntime: 1 });
    expect(await timeOf(last)).toMatchObject({ granted: 7200, left: 0, held: 7200 });
    await expect(world.submit(user, { nodes: 1, requestedRuntime: 0.001 })).rejects.toMatchObject({
      name: 'QuotaExceededError',
      facts: { left: { time: 0 } },
    });
    const end = {
      stage: 'SUCCESSFUL',
      outcome: 'succeeded',
      endedAt: world.now(),
      ranSeconds: 9999,
    } as const;
    await endJob(table, last, end, world.now());
    expect(await timeOf(last)).toEqual({ granted: 7200, left: 0, held: 0, used: 7200 });
    await expect(setTime(user, 0)).rejects.toMatchObject({ name: 'QuotaInUseError' });
    expect(await timeOf(last)).toEqual({ granted: 7200, left: 0, held: 0, used: 7200 });
    await expectAccountAddsUp(table, last);
  });

  it('a refusal after the hold returns the hold', async () => {
    const world = createWorld(table, systemName('hpc_one'), (connector) => ({
      ...connector,
      submit: async () => {
        throw new JobRefusedError('There is no such queue.');
      },
    }));
    const job = await world.submit(newUser(), { nodes: 2, requestedRuntime: 1 });
    expect(await timeOf(job)).toMatchObject({ held: 7200 });
    await world.sweep();
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ failed: true });
    expect(await timeOf(job)).toEqual({
      granted: 18_000_000,
      left: 18_000_000,
      held: 0,
      used: 0,
    });
    await expectAccountAddsUp(table, job);
  });

  it('a foreign job cannot be deleted', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const job = await world.submit(newUser());
    const place = { ...accountOf(job), user: newUser() };
    await expect(deleteJob(table, place, job.jobId, world.now())).rejects.toMatchObject({
      name: 'JobNotFoundError',
    });
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ terminal: false });
    await deleteJob(table, accountOf(job), job.jobId, world.now());
  });

  it('one ban does not block everything', async () => {
    const banned = newUser();
    const place = { hpc: one.hpc, project: one.name };
    await banUser(table, catalog, { user: banned, from: place, by: '100001', reason: 'A loop.' });
    const first = createWorld(table, systemName('hpc_one'));
    const second = createWorld(table, systemName('hpc_two'));
    await expect(first.submit(banned)).rejects.toMatchObject({
      name: 'SubmissionBannedError',
      facts: { reason: 'A loop.' },
    });
    await expect(second.submit(banned)).resolves.toMatchObject({ terminal: false });
    await expect(first.submit(newUser())).resolves.toMatchObject({ terminal: false });
  });
});
