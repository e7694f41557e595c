import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SubmittedJob } from '#lib/hpc/connector.ts';
import { parseDate } from '#lib/hpc/unicore/unicore-connector.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { type Bench, keepCredentials, openUnicore, order, tag } from './open-unicore.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openUnicore();
});
afterEach(() => bench.server.close());

async function submitSeveral(count: number): Promise<SubmittedJob[]> {
  const jobs: SubmittedJob[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = jobId(`JOB-${number}`);
    const handle = await bench.connector.submit({ ...order, jobId: id });
    jobs.push({ jobId: id, owner: userId('42'), handle });
  }
  return jobs;
}

describe('lookUp', () => {
  it.each(['READY', 'STAGINGIN', 'QUEUED', 'RUNNING', 'STAGINGOUT'])(
    'passes %s on as it comes',
    async (status) => {
      const { job, remote } = await bench.submit();
      remote.status = status;
      expect(await bench.connector.lookUp([job])).toEqual(
        new Map([[tag.jobId, { state: 'living', stage: status }]]),
      );
    },
  );

  it('does not take the answer about another job for its own', async () => {
    const [mine, other] = await submitSeveral(2);
    const remote = bench.server.jobs.get(other!.handle);
    remote!.status = 'FAILED';
    // The answers of the two are mixed up.
    const wrong = { ...mine!, handle: other!.handle };
    await expect(bench.connector.lookUp([wrong])).rejects.toThrow('about another job');
    expect(await bench.connector.lookUp([wrong, other!])).toEqual(
      new Map([[other!.jobId, { state: 'ended', stage: 'FAILED', failed: true }]]),
    );
    remote!.status = 'RUNNING';
    await expect(bench.connector.cancel(wrong)).rejects.toThrow('about another job');
    await expect(bench.connector.listFiles(wrong)).rejects.toThrow('about another job');
    expect(remote!.status).toBe('RUNNING');
    // A server that has no tags is believed.
    remote!.properties = { tags: undefined };
    expect((await bench.connector.lookUp([wrong])).size).toBe(1);
  });

  it.each(['UNDEFINED', 'UNKNOWN', 'ABORTED', ''])('observes nothing in %j', async (status) => {
    const { job, remote } = await bench.submit();
    remote.status = status;
    expect(await bench.connector.lookUp([job])).toEqual(new Map());
  });

  it.each([
    { status: 'SUCCESSFUL', failed: false },
    { status: 'FAILED', failed: true },
  ])('sees the end in $status, with the time that was used', async ({ status, failed }) => {
    const { job, remote } = await bench.submit();
    remote.status = status;
    remote.properties = {
      statusMessage: 'over',
      exitCode: '3',
      consumedTime: { total: '3600', main: '1200', queued: '2400' },
    };
    const ended = {
      state: 'ended',
      stage: status,
      failed,
      reason: 'over, exit code 3',
      usedSeconds: 1200,
      endedAt: new Date('2026-01-05T09:00:00Z'),
    };
    expect(await bench.connector.lookUp([job])).toEqual(new Map([[tag.jobId, ended]]));
  });

  it('leaves out a time that is N/A', async () => {
    const { job, remote } = await bench.submit();
    remote.status = 'SUCCESSFUL';
    const ended = { state: 'ended', stage: 'SUCCESSFUL', failed: false };
    expect((await bench.connector.lookUp([job])).get(tag.jobId)).toStrictEqual(ended);
  });

  it('does not know a job that the system does not know', async () => {
    const { connector } = bench;
    const lost = { ...tag, handle: 'gone' };
    expect(await connector.lookUp([lost])).toEqual(new Map([[tag.jobId, { state: 'unknown' }]]));
  });

  it('tells of the other jobs when one cannot be shown', async () => {
    const jobs = await submitSeveral(4);
    bench.server.failNext(new RegExp(jobs[1]!.handle), { status: 500 });
    bench.server.failNext(new RegExp(jobs[2]!.handle), { status: 200, body: '<html>' });
    const seen = await bench.connector.lookUp(jobs);
    expect([...seen.keys()].sort()).toEqual(['JOB-0', 'JOB-3']);
  });

  it('gives up on a system that fails throughout, and says so', async () => {
    const jobs = await submitSeveral(12);
    const before = bench.server.requests.length;
    bench.server.failNext(/^GET/, { status: 500 }, 99);
    await expect(bench.connector.lookUp(jobs)).rejects.toMatchObject({
      name: 'SystemUnavailableError',
    });
    expect(bench.server.requests.length - before).toBeLessThan(9);
  });

  it('stops at once when the system asks for patience', async () => {
    const jobs = await submitSeveral(12);
    const before = bench.server.requests.length;
    bench.server.failNext(/^GET/, { status: 429, headers: { 'Retry-After': '9' } }, 99);
    await expect(bench.connector.lookUp(jobs)).rejects.toMatchObject({ retryAfterSeconds: 9 });
    expect(bench.server.requests.length - before).toBeLessThan(6);
  });

  it('reads dates with and without the colon in their offset', () => {
    const noon = new Date('2024-10-17T10:00:00Z');
    expect(parseDate('2024-10-17T12:00:00+0200')).toEqual(noon);
    expect(parseDate('2024-10-17T04:30:00-0530')).toEqual(noon);
    expect(parseDate('2024-10-17T12:00:00+02:00')).toEqual(noon);
    expect(parseDate('yesterday')).toBeUndefined();
  });
});

describe('checkHealth', () => {
  it('waits so long and no longer', async () => {
    bench.server.close();
    bench = await openUnicore(keepCredentials({ token: 'right' }), 0.05);
    bench.server.failNext(/GET/, 'silence');
    await expect(bench.connector.checkHealth()).rejects.toThrow('no answer within 0.05 s');
  });

  it.each([404, 500, 302])('throws at %d', async (status) => {
    bench.server.failNext(/GET/, { status });
    await expect(bench.connector.checkHealth()).rejects.toMatchObject({
      name: 'SystemUnavailableError',
    });
  });
});
