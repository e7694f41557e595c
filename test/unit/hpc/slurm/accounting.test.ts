import { describe, expect, it } from 'vitest';
import { startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect } from './connect.ts';

const since = new Date('2026-11-10T00:00:00Z');
const start = since.getTime() / 1000;

describe('the accounting of a cluster', () => {
  it.each([
    { version: 38, asked: '/slurmdb/v0.0.38/jobs?start_time=2026-11-09T00%3A00%3A00' },
    { version: 42, asked: `/slurmdb/v0.0.42/jobs?start_time=${start - 24 * 60 * 60}` },
  ])('is asked in the form of version 0.0.$version', async ({ version, asked }) => {
    const fake = await startFake(version);
    fake.hasAccounting = true;
    expect(await connect(fake).readAccounting?.(since)).toEqual([]);
    expect(fake.questions.map(({ path }) => path)).toContain(asked);
  });

  it('tells of the jobs that have ended since then, and of no other', async () => {
    const fake = await startFake(38);
    fake.hasAccounting = true;
    const ran = { start: start + 100, end: start + 267 };
    fake.accounted.push(
      { id: 1, name: 'JOB-1', states: ['CANCELLED'], ...ran },
      { id: 2, name: 'JOB-2', states: ['RUNNING'], start: start + 100 },
      { id: 3, name: 'JOB-3', states: ['COMPLETED'], start: start - 100, end: start - 1 },
    );
    const run = {
      number: 1,
      startedAt: new Date(ran.start * 1000),
      endedAt: new Date(ran.end * 1000),
      seconds: 167,
      isLost: false,
      reason: expect.any(String),
    };
    expect(await connect(fake).readAccounting?.(since)).toEqual([
      { name: 'JOB-1', handle: '1', runs: [run], endedAt: run.endedAt },
    ]);
  });

  it.each([
    { told: 'by the catalog', options: { cluster: 'mahti' }, queue: [] },
    { told: 'by a job in the queue', options: {}, queue: [{ cluster: 'mahti' }] },
  ])('leaves out jobs of another cluster, which is told $told', async ({ options, queue }) => {
    const fake = await startFake(38);
    fake.hasAccounting = true;
    const job = { states: ['COMPLETED'], start: start + 100, end: start + 200 };
    for (const each of queue)
      fake.queue.push({ id: 9, name: 'JOB-9', states: ['RUNNING'], ...each });
    fake.accounted.push(
      { ...job, id: 1, name: 'JOB-1', cluster: 'mahti' },
      { ...job, id: 1, name: 'JOB-2', cluster: 'puhti' },
    );
    const listed = await connect(fake, options).readAccounting?.(since);
    expect(listed?.map(({ name }) => name)).toEqual(['JOB-1']);
  });

  it('tells all runs of a job that was queued again, in their order', async () => {
    const fake = await startFake(38);
    fake.hasAccounting = true;
    const job = { id: 1, name: 'JOB-1' };
    fake.accounted.push(
      { ...job, states: ['COMPLETED'], start: start + 300, end: start + 390 },
      { ...job, states: ['NODE_FAIL'], start: start + 200, end: start + 230 },
      { ...job, states: ['REQUEUED'], start: start + 100, end: start + 160, suspended: 10 },
    );
    const [listed] = (await connect(fake).readAccounting?.(since)) ?? [];
    expect(listed?.runs).toMatchObject([
      { number: 1, seconds: 50, isLost: false },
      { number: 2, seconds: 30, isLost: true },
      { number: 3, seconds: 90, isLost: false },
    ]);
  });

  it('is missing where there is no slurmdbd', async () => {
    const fake = await startFake(38);
    expect(await connect(fake).readAccounting?.(since)).toBeUndefined();
  });
});
