import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJobFolder, type FolderOrder, writeOrder } from '#lib/hpc/machine/job-folder.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';
import { median } from '../measure/figures.ts';
import { createTemporaryFolder } from '../measure/processes.ts';

/** Median milliseconds from the call of the shepherd to the first command of a job. */
export interface Starts {
  readonly open: number;
  readonly sandboxed: number;
}

/** Starts jobs in a sandbox and without one, in turn. */
export async function measureStarts(jobs: number): Promise<Starts> {
  const times: Record<keyof Starts, number[]> = { open: [], sandboxed: [] };
  const place = createTemporaryFolder();
  for (let round = 0; round <= jobs; round += 1) {
    const open = await measureStart(place, {});
    const sandboxed = await measureStart(place, { sandbox: { network: false, readable: [] } });
    // The first ones fill the caches.
    if (round === 0) continue;
    times.open.push(open);
    times.sandboxed.push(sandboxed);
  }
  return { open: median(times.open), sandboxed: median(times.sandboxed) };
}

async function measureStart(place: string, more: Partial<FolderOrder>): Promise<number> {
  const jobId = randomUUID();
  const folder = join(place, jobId);
  createJobFolder(folder);
  writeOrder(folder, {
    version: 1,
    jobId,
    argv: ['/bin/sh', '-c', 'date +%s%N'],
    environment: { PATH: '/usr/bin:/bin' },
    sequence: 1,
    cores: 1,
    limits: { seconds: 60, memoryBytes: 1e9, processes: 100, outputBytes: 1e8 },
    ...more,
  });
  const called = Date.now();
  const { ended } = await startShepherd(folder);
  // A shepherd outlives whoever starts it, so nothing else keeps this process waiting.
  const waiting = setInterval(() => undefined, 1_000);
  await ended;
  clearInterval(waiting);
  return Number(readFileSync(join(folder, 'stdout'), 'utf8')) / 1e6 - called;
}
