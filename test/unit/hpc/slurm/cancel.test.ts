import { describe, expect, it } from 'vitest';
import { RemoteFileNotFoundError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { refuseJobId, startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect, keepTokens } from './connect.ts';

const job = { jobId: jobId('JOB-1'), owner: userId('306328'), handle: '1' };

describe('cancelling', () => {
  it('is asked for without a signal, which would leave the script running', async () => {
    const fake = await startFake(38);
    fake.queue.push({ id: 1, name: 'JOB-1', states: ['RUNNING'] });
    const connector = connect(fake);
    await connector.cancel(job);
    await connector.cancel(job);
    expect(fake.queue).toMatchObject([{ states: ['CANCELLED'] }]);
    expect(fake.questions[1]).toMatchObject({ method: 'DELETE', path: '/slurm/v0.0.38/job/1' });
  });

  it.each([
    refuseJobId('1'),
    refuseJobId('1', 404),
    { status: 500, body: { errors: [{ error_number: 2021, error: 'Already done' }] } },
    { status: 200, body: { errors: [{ error_number: 2021, error: 'Already done' }] } },
  ])('is harmless for a job that is gone: $status', async (reply) => {
    const fake = await startFake(38);
    fake.replies.push({ to: '/job/1', reply });
    await expect(connect(fake).cancel(job)).resolves.toBeUndefined();
  });

  it.each([
    { status: 500, body: { errors: [{ error_number: 1800, error: 'No controller' }] } },
    { status: 500, body: { errors: [{ error_number: 2002, error: 'Denied' }] } },
    { status: 200, body: { errors: [{ error_number: 1, error: 'x' }] } },
    { status: 502, body: 'away' },
  ])('that may not have happened is not passed over: $status $body', async (reply) => {
    const fake = await startFake(38);
    fake.replies.push({ to: '/job/1', reply });
    await expect(connect(fake).cancel(job)).rejects.toThrow(SystemUnavailableError);
  });

  it('is tried again with a token that was rotated', async () => {
    const fake = await startFake(38);
    fake.queue.push({ id: 1, name: 'JOB-1', states: ['RUNNING'] });
    await connect(fake, { credentials: keepTokens('old', 'good') }).cancel(job);
    expect(fake.queue).toMatchObject([{ states: ['CANCELLED'] }]);
  });
});

describe('files', () => {
  it('are not to be had from slurmrestd', async () => {
    const connector = connect(await startFake(38));
    expect(await connector.listFiles(job)).toEqual([]);
    await expect(connector.openFile(job, 'out')).rejects.toThrow(RemoteFileNotFoundError);
  });
});
