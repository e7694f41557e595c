import { beforeEach, describe, expect, it } from 'vitest';
import { removeAccount } from '#lib/accounts/remove-account.ts';
import { readAudit } from '#lib/audit/read-audit.ts';
import { defaultProject } from '#lib/catalog/catalog.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { QuotaInUseError } from '#lib/quotas/errors.ts';
import { findQuota, readQuota } from '#lib/quotas/quota-store.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createWorld, readLedger } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const user = userId('1');

const table = tableForEach();
let world: ReturnType<typeof createWorld>;
beforeEach(() => {
  world = createWorld(table, systemName('hpc_one'));
});

/** Gives time for so many checks of the clock. */
function timeFor(looks: number) {
  let left = looks;
  return {
    leftMs: () => left,
    isOver: () => {
      left -= 1;
      return left < 0;
    },
  };
}

const remove = (withJobs: boolean, looks = Number.MAX_SAFE_INTEGER) => {
  const project = defaultProject(world.system);
  const order = { user, project, reason: 'She has left.', by: '100001', withJobs };
  return removeAccount({ table, files: world.files, time: timeFor(looks) }, order, world.now);
};

const submitMany = async (count: number) => {
  const jobs = [];
  for (let done = 0; done < count; done += 1) jobs.push(await world.submit(user));
  return jobs;
};

describe('removing an account', () => {
  it('says what is in the way, and removes that if asked to', async () => {
    const [ended] = await submitMany(1);
    await world.runToEnd(ended!);
    const noInput = { fileName: 'a.zip', source: { kind: 'none' } } as const;
    const living = [await world.submit(user), await world.submit(user, { input: noInput })];
    await expect(remove(false)).rejects.toMatchObject({
      name: 'QuotaInUseError',
      facts: { livingJobs: 2, endedJobs: 1 },
    });
    const removed = await remove(true);
    expect(removed).toMatchObject({ activeJobs: 0, time: { held: 0 }, space: { held: 0 } });
    expect(await readQuota(table, accountOf(ended!))).toBeUndefined();
    const stages = [ended!, ...living].map(async (job) =>
      findJob(table, accountOf(job), job.jobId),
    );
    expect((await Promise.all(stages)).map(({ stage }) => stage)).toEqual([
      'DELETED',
      'CANCELED',
      'CANCELED',
    ]);
    const lines = await readLedger(table, ended!);
    expect(lines.reduce((sum, { seconds }) => sum + Number(seconds), 0)).toBe(0);
    expect(lines.reduce((sum, { kilobytes }) => sum + Number(kilobytes), 0)).toBe(0);
    expect([...world.files.inputs.objects.keys()]).toEqual([]);
    const { entries: acts } = await readAudit(
      table,
      { filter: { user } },
      100,
      undefined,
      world.now(),
    );
    expect(acts.map(({ kind }) => kind).sort()).toEqual([
      'job-cancelled',
      'job-cancelled',
      'job-deleted',
      'quota-removed',
    ]);
  });

  it('stops when its time is over, says how many remain, and continues the next time', async () => {
    const jobs = await submitMany(6);
    const account = accountOf(jobs[0]!);
    const refusal = await remove(true, 3).catch((error) => error);
    expect(refusal).toBeInstanceOf(QuotaInUseError);
    expect(refusal.facts).toMatchObject({ endedJobs: 0, discardedJobs: 3 });
    expect(refusal.message).toContain('(active jobs: 3, ended jobs: 0)');
    expect(refusal.message).toContain('Cancelled or deleted so far: 3. Send the same request');
    expect(await findQuota(table, account)).toMatchObject({ activeJobs: 3 });
    await remove(true);
    expect(await readQuota(table, account)).toBeUndefined();
  });

  it('begins no further job after one that could not be discarded', async () => {
    const jobs = await submitMany(8);
    world.files.inputs.remove = () => Promise.reject(new Error('The storage is away.'));
    await expect(remove(true)).rejects.toThrow('The storage is away.');
    const { activeJobs } = await findQuota(table, accountOf(jobs[0]!));
    expect(activeJobs).toBeGreaterThanOrEqual(4);
    expect(activeJobs).toBeLessThan(8);
  });

  it('includes what is submitted meanwhile', async () => {
    const [job] = await submitMany(1);
    const late: Promise<unknown>[] = [];
    const { inputs } = world.files;
    const removeInput = inputs.remove;
    // After the jobs were listed, and before the quota is removed.
    inputs.remove = async (key) => {
      if (late.length === 0) {
        late.push(world.submit(user));
        await late[0];
      }
      return removeInput(key);
    };
    await remove(true);
    expect(late).toHaveLength(1);
    expect(await readQuota(table, accountOf(job!))).toBeUndefined();
    const lines = await readLedger(table, job!);
    expect(lines.filter(({ kind }) => kind === 'settle')).toHaveLength(2);
  });
});
