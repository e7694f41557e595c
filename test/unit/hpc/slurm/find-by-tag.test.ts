import { describe, expect, it } from 'vitest';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { jobId } from '#test/fixtures/names.ts';
import { startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect, order } from './connect.ts';

describe('a job whose answer was lost', () => {
  it.each([38, 40, 43])('is found by its tag, and is the only one (0.0.%i)', async (version) => {
    const fake = await startFake(version);
    fake.replies.push({ to: 'submit', reply: 'hang up' });
    const connector = connect(fake);
    await expect(connector.submit(order)).rejects.toThrow(SystemUnavailableError);
    expect(await connector.findByTag(order)).toBe('1');
    expect(fake.queue).toHaveLength(1);
  });
});

describe('a tag', () => {
  it('that no job carries finds none', async () => {
    const fake = await startFake(38);
    fake.queue.push({ id: 4, name: 'JOB-10', states: ['RUNNING'] });
    expect(await connect(fake).findByTag(order)).toBeUndefined();
  });

  it('finds a job that has ended', async () => {
    const fake = await startFake(38);
    fake.queue.push({ id: 4, name: 'JOB-1', states: ['FAILED'] });
    expect(await connect(fake).findByTag(order)).toBe('4');
  });

  it('finds the first of several', async () => {
    const fake = await startFake(38);
    fake.queue.push({ id: 10, name: 'JOB-1', states: ['PENDING'] });
    fake.queue.push({ id: 9, name: 'JOB-1', states: ['PENDING'] });
    expect(await connect(fake).findByTag(order)).toBe('9');
  });

  it('does not find the job of another user of the cluster', async () => {
    const fake = await startFake(38);
    fake.queue.push({ id: 4, name: 'JOB-1', states: ['PENDING'], user: 'mallory' });
    expect(await connect(fake).findByTag(order)).toBeUndefined();
  });

  it.each([38, 41])(
    'finds in the accounting what the queue has let go (0.0.%i)',
    async (version) => {
      const fake = await startFake(version);
      fake.hasAccounting = true;
      fake.accounted.push({ id: 4, name: 'JOB-1', states: ['COMPLETED'] });
      expect(await connect(fake).findByTag(order)).toBe('4');
      expect(await connect(fake).findByTag({ ...order, jobId: jobId('JOB-2') })).toBeUndefined();
    },
  );

  it.each(['hang up' as const, { status: 400, body: { errors: [{ error_number: 9000 }] } }])(
    'is not said to be nowhere while the accounting does not answer',
    async (reply) => {
      const fake = await startFake(38);
      fake.hasAccounting = true;
      fake.replies.push({ to: 'slurmdb', reply });
      await expect(connect(fake).findByTag(order)).rejects.toThrow(SystemUnavailableError);
    },
  );

  it.each([
    { why: 'a list with errors', body: { errors: [{ error_number: 1, error: 'x' }], jobs: [] } },
    { why: 'a job that is not understood', body: { errors: [], jobs: [{ job_id: 4 }] } },
    { why: 'no list', body: { errors: [] } },
  ])('is not said to be nowhere by $why', async ({ body }) => {
    const fake = await startFake(38);
    fake.replies.push({ to: '/jobs', reply: { status: 200, body } });
    await expect(connect(fake).findByTag(order)).rejects.toThrow(SystemUnavailableError);
  });
});
