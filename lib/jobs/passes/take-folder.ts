import { findSystem } from '#lib/catalog/catalog.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { keptFolderOf } from '#lib/catalog/project-folders.ts';
import { sendsResults } from '#lib/catalog/sends-results.ts';
import { type MeasuredFolder, noteFolderSize } from '#lib/files/folders/folder-size.ts';
import { folderListKey } from '#lib/files/object-keys.ts';
import type { FolderSize } from '#lib/hpc/connector.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import { JobNotFoundError } from '../errors.ts';
import { findSendingJob } from './find-active-job.ts';
import type { ResultsContext } from './take-results.ts';

interface SeenFolder extends FolderSize {
  readonly list: Uint8Array;
  readonly at: Date;
}

/** Keeps what a job saw in the folder of its project, where the service does not see it itself. */
export async function takeFolder(
  { table, catalog, results }: ResultsContext,
  account: AccountKey,
  jobId: JobId,
  { list, at, ...size }: SeenFolder,
): Promise<{ readonly maxBytes: number; readonly measured: MeasuredFolder }> {
  await findSendingJob(table, account, jobId, at);
  const system = findSystem(catalog, account.hpc);
  const kept = keptFolderOf(system, account.project);
  if (!kept || !sendsResults(system)) throw new JobNotFoundError();
  await results.put(folderListKey(account), list);
  return { maxBytes: kept.maxBytes, measured: await noteFolderSize(table, account, size, at) };
}
