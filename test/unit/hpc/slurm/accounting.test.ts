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

  it('is missing where there is no slurmdbd', async () => {
    const fake = await startFake(38);
    expect(await connect(fake).readAccounting?.(since)).toBeUndefined();
  });
});
