import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { createMaintenance } from '#lib/hpc/slurm/maintenance.ts';
import { openSlurmrestd } from '#lib/hpc/slurm/slurmrestd.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { type FakeSlurmrestd, startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect, keepTokens } from './connect.ts';

const versions = [37, 38, 39, 40, 41, 42, 43];
const [start, end] = [1_796_112_000, 1_796_140_800];
const maintenance = { name: 'maint_1', flags: ['MAINT', 'IGNORE_JOBS'], start, end };
const course = { name: 'course', flags: [], start: start - 3600, end };

const told = {
  name: 'maint_1',
  from: new Date('2026-12-01T08:00:00Z'),
  until: new Date('2026-12-01T16:00:00Z'),
  reason: "Maintenance of 1 node, reserved in Slurm as 'maint_1'.",
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T07:30:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the reservations of a cluster', () => {
  it.each(versions)('for maintenance are read from version 0.0.%i, no others', async (version) => {
    const fake = await startFake(version);
    fake.reservations.push(course, maintenance);
    expect(await connect(fake).readMaintenance?.()).toEqual([told]);
  });

  it('are read again after five minutes', async () => {
    const fake = await startFake(38);
    let now = 0;
    const options = { baseUrl: fake.url, credentials: keepTokens('good') };
    const { read } = createMaintenance(openSlurmrestd(options), () => now);
    expect(await read()).toEqual([]);
    fake.reservations.push(maintenance);
    now = 299_999;
    expect(await read()).toEqual([]);
    now = 300_000;
    expect(await read()).toEqual([told]);
    expect(fake.count('/reservations')).toBe(2);
  });

  it('are none where slurmrestd serves none, and unknown where it does not answer', async () => {
    const fake = await startFake(38);
    fake.reservations.push(maintenance);
    const gone = { status: 404, body: 'Unable find requested URL.' };
    fake.replies.push({ to: '/reservations', reply: gone });
    expect(await connect(fake).readMaintenance?.()).toEqual([]);
    fake.replies.push({ to: '/reservations', reply: { status: 500, body: { errors: [] } } });
    await expect(connect(fake).readMaintenance?.()).rejects.toThrow(SystemUnavailableError);
  });
});

describe('a job that waits', () => {
  const named =
    'Slurm has reserved nodes for maintenance from 2026-12-01 08:00 UTC to 2026-12-01 16:00 UTC.';

  async function explain(fake: FakeSlurmrestd, reason: string) {
    fake.queue.push({ id: 1, name: 'JOB-1', states: ['PENDING'], reason });
    const job = { jobId: jobId('JOB-1'), owner: userId('306328'), handle: '1' };
    const seen = (await connect(fake).lookUp([job])).get(job.jobId);
    return seen?.state === 'living' ? seen.reason : undefined;
  }

  it.each(['ReqNodeNotAvail', 'ReqNodeNotAvail, Reserved for maintenance', 'Reservation'])(
    'for %s is told of the maintenance',
    async (reason) => {
      const fake = await startFake(38);
      fake.reservations.push(course, maintenance);
      expect(await explain(fake, reason)).toMatch(named);
    },
  );

  it.each([
    ['for something else', 'Priority', maintenance],
    ['before a reservation that is none for maintenance', 'ReqNodeNotAvail', course],
    ['after one', 'ReqNodeNotAvail', { ...maintenance, start: 1, end: 2 }],
  ])('%s is not', async (_, reason, reservation) => {
    const fake = await startFake(38);
    fake.reservations.push(reservation);
    expect(await explain(fake, reason)).not.toMatch('maintenance from');
    expect(fake.count('/reservations')).toBe(reason === 'Priority' ? 0 : 1);
  });

  it('keeps its reason if the reservations cannot be read', async () => {
    const fake = await startFake(38);
    fake.replies.push({ to: '/reservations', reply: { status: 500, body: { errors: [] } } });
    expect(await explain(fake, 'ReqNodeNotAvail')).toMatch('Slurm says: ReqNodeNotAvail.');
  });
});
