import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { accountOf, type Job, jobToItem } from '#lib/jobs/job.ts';
import { requestToItem } from '#lib/jobs/job-request.ts';
import { newLifeToItem } from '#lib/jobs/life/job-life.ts';
import { ledgerLineToItem } from '#lib/quotas/ledger.ts';
import { raiseCounter } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';
import { jobFixture } from '#test/fixtures/jobs.ts';
import { userId } from '#test/fixtures/names.ts';

/** The owner of all seeded ended jobs. */
export const seedOwner = userId('306328');

const firstMoment = Date.parse('2019-02-10T22:40:01Z');

/** Spaces jobs by a second, so that jobs and ledger lines are in their natural order. */
export function endedJob(owner: UserId, id: number): Job {
  const submittedAt = new Date(firstMoment + id * 1000);
  return { ...jobFixture(owner, id), submittedAt, endedAt: new Date(+submittedAt + 3_600_000) };
}

/** Makes the items that a job leaves in the table: job, request, life and two ledger lines. */
export function endedJobItems(job: Job): object[] {
  const { hold, jobId, owner, submittedAt } = job;
  const line = { ...accountOf(job), jobId, kilobytes: 0 };
  return [
    jobToItem(job),
    newLifeToItem(job),
    requestToItem(job, { ...request, input: { fileName: 'job_file.zip', bytes: 1000 } }),
    ledgerLineToItem({
      ...line,
      kind: 'hold',
      seconds: -hold.seconds,
      kilobytes: -hold.kilobytes,
      at: submittedAt,
      by: owner,
      reason: 'job submitted',
    }),
    ledgerLineToItem({
      ...line,
      kind: 'settle',
      seconds: 0,
      used: hold.seconds,
      at: job.endedAt ?? submittedAt,
      by: 'slipway',
      reason: `${job.stage}: ${hold.seconds} of ${hold.seconds} seconds used`,
    }),
  ];
}

export const request = { program: 'python3 main.py', nodes: 1, coresPerNode: 4, extras: {} };

/** The limit of one request. */
const itemsPerRequest = 25;
const requestsAtOnce = 8;

/** Writes items as quickly as the table takes them, without applying any rules. */
export async function writeItems(table: Table, items: readonly object[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / itemsPerRequest) }, (_, index) =>
    items.slice(index * itemsPerRequest, (index + 1) * itemsPerRequest),
  );
  await mapInParallel(batches, requestsAtOnce, async (batch) => {
    const RequestItems = { [table.name]: batch.map((Item) => ({ PutRequest: { Item } })) };
    const { UnprocessedItems = {} } = await table.client.send(
      new BatchWriteCommand({ RequestItems }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('The table refused items.');
    return [];
  });
}

const pauseMs = 5000;

/**
 * Prints the progress and the remaining time of a long load every few seconds, on a terminal and in
 * a log alike. Prints nothing for a short load.
 */
export function createProgressLine(what: string, stream: NodeJS.WritableStream = process.stderr) {
  const began = performance.now();
  let saidAt = began;
  return {
    update(share: number): void {
      const now = performance.now();
      if (share >= 1 || now - saidAt < pauseMs) return;
      saidAt = now;
      const secondsLeft = ((now - began) / 1000) * (1 / share - 1);
      const percent = Math.floor(share * 100);
      stream.write(`${what}: ${percent} % loaded, ${Math.ceil(secondsLeft)} s to go\n`);
    },
  };
}

const jobsAtOnce = 1000;

/** Gives an owner ended jobs with ids from 1 on. */
export async function seedEndedJobs(table: Table, owner: UserId, count: number): Promise<void> {
  const progress = createProgressLine(`${count.toLocaleString('en-US')} jobs`);
  for (let first = 1; first <= count; first += jobsAtOnce) {
    const size = Math.min(jobsAtOnce, count - first + 1);
    const jobs = Array.from({ length: size }, (_, index) => endedJob(owner, first + index));
    await writeItems(table, jobs.flatMap(endedJobItems));
    progress.update((first + size - 1) / count);
  }
  await raiseCounter(table, 'job', count);
}
