import { writeChange } from '#lib/table/change.ts';
import { jobKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { changeIf } from '#lib/table/writes.ts';
import { accountOf, type Job } from '../job.ts';
import { countInBatch } from './count-in-batch.ts';
import { tooLate, writeIfFirst } from './write-if-first.ts';

/**
 * Saves the stage of an active job. Returns false if the job has ended, because an ended job keeps
 * its stage. If the job starts or stops running, its batch counts that in the same write.
 */
export async function saveStage(
  table: Table,
  job: Job,
  stage: string,
  isRunning: boolean,
): Promise<boolean> {
  const Key = jobKey(accountOf(job), job.jobId);
  const active = { terminal: false };
  if (!job.batch || isRunning === (job.batchRunning ?? false)) {
    return changeIf(table, Key, { set: { stage }, expect: active });
  }
  const change = writeChange({
    set: { stage, batch_running: isRunning || undefined },
    expect: { ...active, batch_running: job.batchRunning },
  });
  return writeIfFirst(table, [
    { Update: { Key, ...change }, refuse: tooLate },
    ...countInBatch(job, { running: isRunning }),
  ]);
}
