import { sweepRelays } from '#lib/files/results/relay-files.ts';
import { removeUploads } from '#lib/files/uploads/remove-uploads.ts';
import { jobFiles } from '../job-files.ts';
import { table } from '../table.ts';

/** Removes files nobody waits for: unused uploads, and copies whose addresses have expired. */
export async function handler(): Promise<void> {
  const sweeps = [
    removeUploads(table, jobFiles.inputs),
    sweepRelays({ table, results: jobFiles.results }),
  ];
  const failed = (await Promise.allSettled(sweeps)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
