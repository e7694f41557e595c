import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { raiseCounter } from '#lib/table/writes/counter.ts';
import { endedJob, endedJobItems } from './ended-job-items.ts';
import { createProgressLine } from './progress-line.ts';
import { writeItems } from './write-items.ts';

const jobsAtOnce = 1000;

/** Gives an owner so many ended jobs, with the ids from 1 on. */
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
