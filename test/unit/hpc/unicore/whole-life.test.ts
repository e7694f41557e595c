import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Observation, SubmittedJob } from '#lib/hpc/connector.ts';
import { readOpened } from '#test/fixtures/byte-streams.ts';
import { type Bench, openUnicore, order, tag } from './open-unicore.ts';

/** The whole way, on a server that runs what it is sent. */
let bench: Bench;
beforeEach(async () => {
  bench = await openUnicore(undefined, 5, { runsJobs: true, storageDelayMs: 0 });
});
afterEach(() => bench.server.close());

const small = { ...order, nodes: 1, coresPerNode: 1 };
async function follow(job: SubmittedJob): Promise<Observation | undefined> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const seen = (await bench.connector.lookUp([job])).get(tag.jobId);
    if (seen?.state === 'ended' || Date.now() > deadline) return seen;
    await sleep(50);
  }
}

async function readFiles(job: SubmittedJob): Promise<Record<string, string>> {
  const files = await bench.connector.listFiles(job);
  const read = files.map(async ({ id, name }) => {
    return [name, String(await readOpened(bench.connector.openFile(job, id)))];
  });
  return Object.fromEntries(await Promise.all(read));
}

describe('a job', () => {
  it('is not run with an input that is not a zip', async () => {
    const handle = await bench.connector.submit({ ...small, program: 'echo ran' });
    const job = { ...tag, handle };
    expect(await follow(job)).toMatchObject({ reason: expect.stringMatching(/unpacked/) });
    expect(await readFiles(job)).toEqual({});
  });

  it('is counted until its abort, once its batch system has ended it', async () => {
    const { input: _, ...rest } = small;
    const handle = await bench.connector.submit({ ...rest, program: 'echo begun; sleep 100' });
    const job = { ...tag, handle };
    const remote = bench.server.jobs.get(handle)!;
    while (remote.status !== 'RUNNING') await sleep(20);
    await sleep(2200);
    await bench.connector.cancel(job);
    expect(await follow(job)).toMatchObject({
      stage: 'FAILED',
      usedSeconds: expect.closeTo(3, -0.4),
    });
    expect(remote.run).toBeUndefined();
    expect(await readFiles(job)).toMatchObject({ stdout: 'begun\n' });
  });

  it('that asks for too much is accepted, and fails in words', async () => {
    const handle = await bench.connector.submit({ ...order, nodes: 99 });
    expect(await follow({ ...tag, handle })).toEqual({
      state: 'ended',
      stage: 'FAILED',
      failed: true,
      usedSeconds: 0,
      reason:
        'UNICORE could not run the job: Resource request <Nodes=99> is out of range. (Invalid resource request)',
    });
  });
});
