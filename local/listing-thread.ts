import { parentPort } from 'node:worker_threads';
import { sortByName } from '#lib/files/results/job-file.ts';
import { listJobFiles } from '#lib/hpc/machine/list-files.ts';
import { yieldToOthers } from './work-apart.ts';

/** Runs the thread that list-apart.ts starts: answers the folder of a job with its files. */
yieldToOthers();
parentPort?.on('message', (folder: string) => {
  // The thread that answers sorts too, which takes no time if the files are in order.
  parentPort?.postMessage(sortByName(listJobFiles(folder)));
});
