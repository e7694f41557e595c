import { beforeEach, describe, expect, it } from 'vitest';
import { readAudit } from '#lib/audit/read-audit.ts';
import { defaultProject } from '#lib/catalog/catalog.ts';
import { deleteAnyJob, deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { tableForEach } from '../engines/use-table.ts';
import { jobFixture } from '../fixtures/jobs.ts';
import { createWorld, expectAccountAddsUp, readLedger } from '../fixtures/life.ts';
import { jobId, systemName, userId } from '../fixtures/names.ts';

const owner = userId('1');
const administrator = userId('100001');

const table = tableForEach();
let world: ReturnType<typeof createWorld>;
beforeEach(() => {
  world = createWorld(table, systemName('hpc_one'));
});

const remove = (job: Job) => deleteJob(table, accountOf(job), job.jobId, world.now());
const removeAny = (job: Job) =>
  deleteAnyJob(
    table,
    accountOf(job),
    job.jobId,
    { reason: 'It runs wild.', by: administrator },
    world.now(),
  );
const readActs = async () =>
  (await readAudit(table, { filter: {} }, 100, undefined, world.now())).entries;
const linesOf = async (job: Job, wanted: string) =>
  (await readLedger(table, job)).filter(({ kind }) => kind === wanted);

describe('deleting an ended job', () => {
  it('gives its space back, with a line that says so, and keeps its record', async () => {
    const job = await world.submit(owner);
    await world.runToEnd(job);
    const ended = await findJob(table, accountOf(job), job.jobId);
    expect(await remove(job)).toEqual({ ...ended, stage: 'DELETED' });
    expect(await linesOf(job, 'refund')).toMatchObject([
      {
        seconds: 0,
        kilobytes: 5,
        at: world.now().toISOString(),
        by: owner,
        reason: 'job deleted',
        job_id: job.jobId,
      },
    ]);
    const { space, activeJobs } = await findQuota(table, accountOf(job));
    expect(space).toMatchObject({ left: 10_000_000, held: 0, used: 0 });
    expect(activeJobs).toBe(0);
    await expectAccountAddsUp(table, job);
  });

  it('without input gives nothing back, also where its quota is gone', async () => {
    const job = await world.submit(owner, {
      input: { fileName: 'a.zip', source: { kind: 'none' } },
    });
    await world.runToEnd(job);
    const project = defaultProject(world.system);
    await removeQuota(table, { user: owner, project, by: administrator, reason: 'a test' });
    expect(await remove(job)).toMatchObject({ stage: 'DELETED' });
    expect(await linesOf(job, 'refund')).toEqual([]);
  });

  it('by an administrator is told of in ledger and audit, once', async () => {
    const job = await world.submit(owner);
    await world.runToEnd(job);
    const answers = await Promise.all([removeAny(job), removeAny(job)]);
    expect(answers.map(({ stage }) => stage)).toContain('DELETED');
    expect(await removeAny(job)).toMatchObject({ stage: 'DELETED' });
    const [act, ...others] = await readActs();
    expect(others).toEqual([]);
    expect(act).toMatchObject({
      kind: 'job-deleted',
      by: administrator,
      reason: 'It runs wild.',
      subject: { ...accountOf(job), jobId: job.jobId },
      details: { stage: { before: 'SUCCESSFUL', after: 'DELETED' } },
    });
    expect(await linesOf(job, 'refund')).toMatchObject([
      {
        kilobytes: 5,
        by: administrator,
        reason: 'job deleted by an administrator: It runs wild.',
        act_id: act?.id,
      },
    ]);
    await expectAccountAddsUp(table, job);
  });

  it('does nothing to one that was cancelled', async () => {
    const job = await world.submit(owner);
    const cancelled = await remove(job);
    expect(cancelled).toMatchObject({ stage: 'CANCELED', endedAt: world.now() });
    world.pass(10);
    expect(await remove(job)).toEqual(cancelled);
    expect(await linesOf(job, 'refund')).toEqual([]);
    expect(await linesOf(job, 'settle')).toHaveLength(1);
  });
});

describe('cancelling', () => {
  it('costs nothing before the job was seen running, and then what it ran', async () => {
    const waiting = await world.submit(owner);
    await remove(waiting);
    expect(await linesOf(waiting, 'settle')).toMatchObject([
      { seconds: 3600, kilobytes: 5, used: 0, by: 'slipway' },
    ]);
    const running = await world.submit(owner);
    await world.sweep();
    world.pass(2);
    await world.sweep();
    world.pass(10);
    await remove(running);
    const lines = await linesOf(running, 'settle');
    expect(lines.find(({ job_id }) => job_id === running.jobId)).toMatchObject({
      seconds: 3580,
      used: 20,
      reason: 'CANCELED: 20 of 3600 seconds used',
    });
    await expectAccountAddsUp(table, running);
  });

  it('by an administrator leaves one as it is that was cancelled before', async () => {
    const job = await world.submit(owner);
    const cancelled = await remove(job);
    expect(await removeAny(job)).toEqual(cancelled);
    expect(await linesOf(job, 'settle')).toHaveLength(1);
    expect(await readActs()).toEqual([]);
  });
});

describe('the files of a job', () => {
  const keysOf = () => [
    ...world.files.inputs.objects.keys(),
    ...world.files.results.objects.keys(),
  ];
  const place = async () => {
    const job = await world.submit(owner);
    await world.files.results.put(`1/${job.jobId}.zip`, new Uint8Array());
    return job;
  };

  it('go when it is deleted; when it is cancelled, what it wrote stays', async () => {
    const job = await place();
    await world.files.results.put(`1/${job.jobId}.output`, new Uint8Array());
    const written = [`1/${job.jobId}.zip`, `1/${job.jobId}.output`];
    await removeFiles(table, world.files, await remove(job));
    expect(keysOf()).toEqual(written);
    await removeFiles(table, world.files, await remove(job), true);
    expect(keysOf()).toEqual([]);
    const ended = await place();
    await world.runToEnd(ended);
    await removeFiles(table, world.files, await remove(ended));
    expect(keysOf()).toEqual([]);
  });

  it('stay as long as it is neither', async () => {
    const job = await place();
    await removeFiles(table, world.files, job);
    await world.runToEnd(job);
    await removeFiles(table, world.files, await findJob(table, accountOf(job), job.jobId));
    expect(keysOf()).toHaveLength(2);
  });

  it('are its results alone where it has no input, or was brought in from elsewhere', async () => {
    const none = { fileName: 'a.zip', source: { kind: 'none' } } as const;
    const foreign = { ...jobFixture(owner, 1), stage: 'DELETED' };
    const removed: string[] = [];
    const inputs = {
      ...world.files.inputs,
      remove: async (key: string) => void removed.push(key),
    };
    for (const job of [await remove(await world.submit(owner, { input: none })), foreign]) {
      await world.files.results.put(`1/${job.jobId}.zip`, new Uint8Array());
      await removeFiles(table, { ...world.files, inputs }, job, true);
      expect(keysOf()).toEqual([]);
    }
    expect(removed).toEqual([]);
  });

  it('of one that was brought in from elsewhere are its results alone', async () => {
    const job = { ...(await place()), jobId: jobId('BROUGHT-IN'), stage: 'DELETED' };
    await world.files.results.put('1/BROUGHT-IN.zip', new Uint8Array());
    const before = keysOf().length;
    await removeFiles(table, world.files, job);
    expect(keysOf()).toHaveLength(before - 1);
  });
});

describe('a request that says what it is for', () => {
  const removeOnly = (job: Job, only: 'cancel' | 'delete') =>
    deleteJob(table, accountOf(job), job.jobId, world.now(), only);

  it('to cancel leaves an ended job with its files and its space', async () => {
    const job = await world.submit(owner);
    await world.runToEnd(job);
    const ended = await findJob(table, accountOf(job), job.jobId);
    expect(await removeOnly(job, 'cancel')).toEqual(ended);
    expect(await linesOf(job, 'refund')).toEqual([]);
  });

  it('to delete leaves an active job, and deletes a cancelled one without giving space back twice', async () => {
    const job = await world.submit(owner);
    expect(await removeOnly(job, 'delete')).toMatchObject({ terminal: false });
    expect(await removeOnly(job, 'cancel')).toMatchObject({ stage: 'CANCELED' });
    expect(await remove(job)).toMatchObject({ stage: 'CANCELED' });
    expect(await removeOnly(job, 'delete')).toMatchObject({ stage: 'DELETED' });
    expect(await removeOnly(job, 'delete')).toMatchObject({ stage: 'DELETED' });
    const { space } = await findQuota(table, accountOf(job));
    expect(space).toMatchObject({ left: 10_000_000, held: 0, used: 0 });
    await expectAccountAddsUp(table, job);
  });
});
