import { buffer } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { streams } from '#functions/streams.ts';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import type { AddressedInput } from '#lib/catalog/input-addresses.ts';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { batchInputKey, inputKey, takenOverKey } from '#lib/files/object-keys.ts';
import { fetchParts } from '#lib/files/staging/fetch-parts.ts';
import type { JobOrder } from '#lib/hpc/connector.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { attendWaiting, sweepWaiting } from '#lib/jobs/chains/attend-waiting.ts';
import { groupWaitNews } from '#lib/jobs/chains/detect-news.ts';
import type { WaitingContext } from '#lib/jobs/chains/prepare-input.ts';
import { JobNotFoundError } from '#lib/jobs/errors.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { readRequest } from '#lib/jobs/job-request.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { groupDueJobs } from '#lib/jobs/run/sweep/due-jobs.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { changeItem } from '#lib/table/writes.ts';
import { inspectZip } from '#lib/zips/inspect-zip.ts';
import { listParts } from '#lib/zips/list-parts.ts';
import { matchesFilter } from '#local/stream/follow-stream.ts';
import { data, hash, startDataServer } from '../connectors/fetching/data-server.ts';
import { openInProcessTable } from '../engines/in-process.ts';
import { createBatchWorld, tableInput } from '../fixtures/batch-world.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { createWorld } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const owner = userId('1');
const dispatchJobs = streams['dispatch-jobs'];

let opened: Awaited<ReturnType<typeof openInProcessTable>>;
let server: Awaited<ReturnType<typeof startDataServer>>;
let table: Table;
let world: ReturnType<typeof createWorld>;
let orders: JobOrder[];
let seen: number;
beforeEach(async () => {
  opened = await openInProcessTable('slipway-inputs');
  server = await startDataServer();
  table = opened.table;
  orders = [];
  seen = 0;
  world = createWorld(
    table,
    systemName('hpc_two'),
    (connector) => ({
      ...connector,
      submit(order) {
        orders.push(order);
        return connector.submit(order);
      },
    }),
    undefined,
    { inputs: { hosts: [server.host], fetchedBy: 'service', maxBytes: 1_000_000 } },
  );
});
afterEach(async () => {
  opened.close();
  await server.close();
});

/** The context of the functions that only release jobs. */
function releasing(): WaitingContext {
  const { catalog, files, connector, now } = world;
  return { table, catalog, files, connect: async () => connector, now };
}

const fetcher = {
  fetch: fetchParts,
  sign: () => Promise.reject(new JobNotFoundError()),
  leftMs: () => 900_000,
};

const fetching = (): WaitingContext => ({ ...releasing(), fetcher });

const from = (path: string, to = 'deep/letters', more = {}): AddressedInput => ({
  from: `${server.host}${path}`,
  to,
  ...more,
});

const zip = buildZip([
  { name: 'own.txt', content: 'mine' },
  { name: 'deep/letters', content: 'old' },
]);
const ownZip: Submission['input'] = {
  fileName: 'in.zip',
  source: { kind: 'inline', content: zip, sha256: '' },
};

async function submit(fetches: readonly AddressedInput[], change: Partial<Submission> = {}) {
  const job = await world.submit(owner, { input: ownZip, fetches, ...change });
  // Two lines of a ledger are never of the same moment.
  world.pass(1);
  return job;
}

const keyOf = (job: Job) => jobLifeKey(accountOf(job), job.jobId);
const current = (job: Job) => findJob(table, accountOf(job), job.jobId);
const lifeOf = (job: Job) => findLife(table, accountOf(job), job.jobId);
const reasonOf = async (job: Job) =>
  (await readTimeline(table, accountOf(job), job.jobId)).life.reason;
const storedKeys = () => [...world.files.inputs.objects.keys()];

/** Reads the input of a job: each file with its content. */
async function readInput(job: Job): Promise<Record<string, string>> {
  const { key = '', bytes = 0 } = (await readRequest(table, job))?.input ?? {};
  await inspectZip(world.files.inputs.objects.get(key) ?? new Uint8Array());
  const found: Record<string, string> = {};
  for (const part of await listParts(world.files.inputs, key, bytes)) {
    const packed = await buffer(part.open());
    found[part.name] = String(part.isDeflated ? inflateRawSync(packed) : packed);
  }
  return found;
}

async function expectSound(job: Job): Promise<void> {
  expect(await judgeAccount(table, accountOf(job))).toEqual({ state: 'sound' });
}

/** What the stream tells of since the last time, by who listens to it. */
function readNews() {
  const all = opened.readChanges();
  const changes = all
    .slice(seen)
    .filter((record) => dispatchJobs.filters.some((filter) => matchesFilter(record, filter)));
  seen = all.length;
  const news = groupWaitNews(changes, world.now());
  return {
    fetching: news.flatMap((each) => each.fetching.map(({ SK }) => SK)),
    waiting: news.flatMap((each) => each.waiting.map(({ SK }) => SK)),
    due: [...groupDueJobs(changes, world.now()).values()].flat().map(({ SK }) => SK),
  };
}

describe('files that the service fetches', () => {
  it('are in the zip that the job is handed over with, and charged as its space', async () => {
    const job = await submit([from('/moved', 'deep/letters', { sha256: hash })]);
    expect(await reasonOf(job)).toBe('Its inputs are fetched.');
    await world.sweep();
    expect(orders).toEqual([]);
    await attendWaiting(fetching(), keyOf(job));
    await world.sweep();
    expect(orders).toHaveLength(1);
    expect(orders[0]?.fetching).toBeUndefined();
    expect(await readInput(job)).toEqual({ 'own.txt': 'mine', 'deep/letters': String(data) });
    expect(storedKeys()).toEqual([takenOverKey(owner, job.jobId)]);
    const { hold } = await current(job);
    expect(hold.kilobytes).toBe(Math.ceil(data.length / 1000) + 1);
    expect(hold.seconds).toBe(job.hold.seconds);
    await expectSound(job);
  });

  it('are the whole input of a job that was sent without a zip', async () => {
    const job = await submit([from('/data', 'a'), from('/cut', 'b/c')], {
      input: { fileName: '', source: { kind: 'none' } },
    });
    await attendWaiting(fetching(), keyOf(job));
    expect(await readInput(job)).toEqual({ a: String(data), 'b/c': String(data) });
    await expectSound(job);
  });

  it.each([
    ['/missing', {}, 'HTTP 404'],
    ['/away', {}, 'it is not among the hosts that this system allows'],
    ['/endless', {}, 'it is larger than 1000000 bytes'],
    ['/data', { sha256: '0'.repeat(64) }, `its checksum is ${hash}`],
  ])('fail the job that lacks %s with %j, and nothing is charged', async (path, more, why) => {
    const job = await submit([from('/data', 'a'), from(path, 'b', more)]);
    await attendWaiting(fetching(), keyOf(job));
    expect(await current(job)).toMatchObject({ terminal: true, failed: true });
    expect(await reasonOf(job)).toMatch(
      new RegExp(`^The input b could not be fetched from [\\w.:]+: ${why}\\.$`),
    );
    const { time, space } = await findQuota(table, accountOf(job));
    expect(time).toMatchObject({ held: 0, used: 0 });
    // As of every failed job, until it is deleted.
    expect(space.held).toBe(job.hold.kilobytes);
    expect(storedKeys()).toEqual([inputKey(owner, job.jobId)]);
    await deleteJob(table, accountOf(job), job.jobId, world.now());
    await removeFiles(table, world.files, await current(job));
    expect((await findQuota(table, accountOf(job))).space.held).toBe(0);
    expect(storedKeys()).toEqual([]);
    await expectSound(job);
    await world.sweep();
    expect(orders).toEqual([]);
  });

  describe('in a bucket', () => {
    const inBucket = { from: 's3://lab/letters', to: 'deep/letters', sha256: hash };
    const signed = (path: string) => async (address: string) => {
      expect(address).toBe(inBucket.from);
      return `${server.host}${path}`;
    };

    it('are fetched from the signed address, beside files of other places', async () => {
      const job = await submit([from('/data', 'a'), inBucket]);
      const signing = { ...fetcher, sign: signed('/cut') };
      await attendWaiting({ ...releasing(), fetcher: signing }, keyOf(job));
      const input = await readInput(job);
      expect(input).toMatchObject({ a: String(data), 'deep/letters': String(data) });
      await expectSound(job);
    });

    it('fail the job, by their own address, if the service may not read them', async () => {
      const job = await submit([inBucket]);
      await attendWaiting(fetching(), keyOf(job));
      expect(await current(job)).toMatchObject({ terminal: true, failed: true });
      expect(await reasonOf(job)).toBe(
        'The input deep/letters could not be fetched from s3://lab/letters: the service may not read it.',
      );
      await expectSound(job);
    });
  });

  it('fail the job if the server is silent until the time is over', async () => {
    const job = await submit([from('/silent')]);
    const hurried = { ...fetcher, leftMs: () => 62_000 };
    await attendWaiting({ ...releasing(), fetcher: hurried }, keyOf(job));
    expect(await reasonOf(job)).toMatch(/^The input deep\/letters could .*: it was too slow\.$/);
    await expectSound(job);
  });

  it('fail the job if its quota has no space for them', async () => {
    const job = await submit([from('/data')]);
    await changeItem(
      table,
      { PK: `USER#${owner}`, SK: `QUOTA#hpc_two#${job.project.name}` },
      { set: { space_left: 3 } },
    );
    await attendWaiting(fetching(), keyOf(job));
    expect(await current(job)).toMatchObject({ terminal: true, failed: true });
    expect(await reasonOf(job)).toMatch(
      /^Its inputs cannot be stored: .*30 kilobytes of space are needed, but only 3 remain/,
    );
    expect(storedKeys()).toEqual([inputKey(owner, job.jobId)]);
  });

  it('end the jobs that wait for one that lacks them', async () => {
    const job = await submit([from('/missing')]);
    const next = await world.submit(owner, { waits: { after: [job.jobId], afterAny: [] } });
    await attendWaiting(fetching(), keyOf(job));
    expect(await current(next)).toMatchObject({ stage: 'CANCELED' });
    await expectSound(job);
  });

  it('are fetched once the jobs have ended that theirs waits for', async () => {
    const first = await world.submit(owner);
    const job = await submit([from('/data')], { waits: { after: [first.jobId], afterAny: [] } });
    await attendWaiting(fetching(), keyOf(job));
    expect(server.asked).toEqual([]);
    await world.runToEnd(first);
    await attendWaiting(fetching(), keyOf(job));
    expect(await lifeOf(job)).toMatchObject({ waiting: false, released: true });
    expect(server.asked).toEqual(['/data']);
  });
});

describe('the function that fetches', () => {
  it('hears of a new job at once, and the one that hands over does not', async () => {
    const job = await submit([from('/data')]);
    expect(readNews()).toEqual({ fetching: [keyOf(job).SK], waiting: [], due: [] });
  });

  it('hears of a job again that others release, until somebody fetches', async () => {
    const job = await submit([from('/data')]);
    readNews();
    expect(await sweepWaiting(releasing())).toEqual([]);
    expect(readNews()).toMatchObject({ fetching: [keyOf(job).SK], due: [] });
    // Once in five minutes is enough.
    world.pass(60);
    await sweepWaiting(releasing());
    expect(readNews().fetching).toEqual([]);
    world.pass(241);
    await sweepWaiting(releasing());
    expect(readNews().fetching).toEqual([keyOf(job).SK]);
    expect(server.asked).toEqual([]);
    await attendWaiting(fetching(), keyOf(job));
    expect(readNews()).toEqual({ fetching: [], waiting: [], due: [keyOf(job).SK] });
  });

  it('is not disturbed while it fetches', async () => {
    const job = await submit([from('/data')]);
    const fetch: typeof fetchParts = async (...words) => {
      readNews();
      await attendWaiting(releasing(), keyOf(job));
      await attendWaiting(fetching(), keyOf(job));
      expect(readNews().fetching).toEqual([]);
      return fetchParts(...words);
    };
    await attendWaiting({ ...releasing(), fetcher: { ...fetcher, fetch } }, keyOf(job));
    expect(server.asked).toEqual(['/data']);
    expect(await lifeOf(job)).toMatchObject({ waiting: false, released: true });
  });

  it('goes on after a crash, and charges once', async () => {
    const job = await submit([from('/data')]);
    const { putFrom } = world.files.inputs;
    const inputs = {
      ...world.files.inputs,
      async putFrom(...words: Parameters<typeof putFrom>) {
        await putFrom(...words);
        throw new Error('The process is gone.');
      },
    };
    const crashing = { ...fetching(), files: { ...world.files, inputs } };
    await expect(attendWaiting(crashing, keyOf(job))).rejects.toThrow('gone');
    world.pass(911);
    await sweepWaiting(releasing());
    await attendWaiting(fetching(), keyOf(job));
    expect(await lifeOf(job)).toMatchObject({ waiting: false });
    expect(storedKeys()).toEqual([takenOverKey(owner, job.jobId)]);
    await expectSound(job);
    await attendWaiting(fetching(), keyOf(job));
    await expectSound(job);
  });

  it('gives up after three crashes', async () => {
    const job = await submit([from('/data')]);
    const fetch = () => Promise.reject(new Error('The process is gone.'));
    const crashing = { ...releasing(), fetcher: { ...fetcher, fetch } };
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(attendWaiting(crashing, keyOf(job))).rejects.toThrow('gone');
      world.pass(911);
    }
    await attendWaiting(crashing, keyOf(job));
    expect(await current(job)).toMatchObject({ terminal: true, failed: true });
    expect(await reasonOf(job)).toBe('Its inputs could not be fetched and stored in 3 tries.');
    await expectSound(job);
  });

  it('tries again after an outage of the storage', async () => {
    const job = await submit([from('/data')]);
    const putFrom = () => Promise.reject(new StorageUnavailableError());
    const inputs = { ...world.files.inputs, putFrom };
    await attendWaiting({ ...fetching(), files: { ...world.files, inputs } }, keyOf(job));
    expect(await reasonOf(job)).toBe(
      'Its input cannot be reached right now. It will be tried again.',
    );
    world.pass(61);
    await sweepWaiting(releasing());
    await attendWaiting(fetching(), keyOf(job));
    expect(await lifeOf(job)).toMatchObject({ waiting: false });
    await expectSound(job);
  });

  it('leaves nothing of a job that is cancelled meanwhile', async () => {
    const job = await submit([from('/data')]);
    const fetch: typeof fetchParts = async (...words) => {
      await deleteJob(table, accountOf(job), job.jobId, world.now());
      await removeFiles(table, world.files, await current(job));
      return fetchParts(...words);
    };
    await attendWaiting({ ...releasing(), fetcher: { ...fetcher, fetch } }, keyOf(job));
    expect(await current(job)).toMatchObject({ stage: 'CANCELED' });
    expect(storedKeys()).toEqual([]);
    expect((await findQuota(table, accountOf(job))).space.held).toBe(0);
    await expectSound(job);
  });
});

describe('a batch whose files the service fetches', () => {
  it('has them in the zip of each job, and its own zip until it goes', async () => {
    const sweeps = createBatchWorld(table, world);
    const batch = await sweeps.submit(owner, {
      program: 'NEURON',
      input: tableInput('path\nmoved\nmissing\ndata\n'),
      shape: { table: 'params.csv' },
      fetches: [{ from: `${server.host}/{path}`, to: 'in/{path}' }],
      maxRunning: 2,
    });
    await sweeps.attend(batch);
    const jobs = await sweeps.listJobs(batch);
    const [moved, missing, last] = jobs;
    expect(readNews().fetching).toEqual([moved, missing].map((job) => keyOf(job!).SK));
    for (const job of jobs.slice(0, 2)) await attendWaiting(fetching(), keyOf(job));
    expect(Object.keys(await readInput(moved!)).sort()).toEqual(['in/moved', 'params.csv']);
    expect(await current(missing!)).toMatchObject({ failed: true });
    // The one that failed has made room.
    await sweeps.attend(batch);
    expect(readNews()).toMatchObject({ fetching: [keyOf(last!).SK] });
    await expectSound(moved!);
    await world.sweep();
    expect(orders.map(({ jobId }) => jobId)).toEqual([moved!.jobId]);
    await deleteJob(table, accountOf(last!), last!.jobId, world.now());
    await removeFiles(table, world.files, await current(last!));
    expect(storedKeys().sort()).toEqual(
      [batchInputKey(owner, batch.id), takenOverKey(owner, moved!.jobId)].sort(),
    );
    await world.runToEnd(moved!);
    await deleteJob(table, accountOf(moved!), moved!.jobId, world.now());
    await removeFiles(table, world.files, await current(moved!));
    expect(storedKeys()).toEqual([batchInputKey(owner, batch.id)]);
    await expectSound(moved!);
  });

  it('can be cancelled while jobs wait for their turn or for their files', async () => {
    const sweeps = createBatchWorld(table, world);
    const batch = await sweeps.submit(owner, {
      program: 'NEURON',
      shape: { count: 3 },
      fetches: [{ from: `${server.host}/data?{index}`, to: 'a' }],
      maxRunning: 1,
    });
    await sweeps.attend(batch);
    for (const job of await sweeps.listJobs(batch)) {
      await deleteJob(table, accountOf(job), job.jobId, world.now());
    }
    await sweeps.attend(batch);
    expect(await sweeps.read(batch)).toMatchObject({
      counts: { cancelled: 3 },
      endedParked: 2,
    });
    const [job] = await sweeps.listJobs(batch);
    await expectSound(job!);
  });
});
