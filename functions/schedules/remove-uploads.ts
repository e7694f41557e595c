import { FilesEnvironment, readEnvironment } from '#lib/config.ts';
import { sweepRelays } from '#lib/files/results/relay-files.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { removeUploads } from '#lib/files/uploads/remove-uploads.ts';
import { table } from '../table.ts';

const { inputs, results } = openJobFiles(readEnvironment(FilesEnvironment));

/** Removes files nobody waits for: unused uploads, and copies whose addresses have expired. */
export async function handler(): Promise<void> {
  const sweeps = [removeUploads(table, inputs), sweepRelays({ table, results })];
  const failed = (await Promise.allSettled(sweeps)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
