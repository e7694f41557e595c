import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { sortByName } from '#lib/files/results/job-file.ts';
import { listJobFiles } from '#lib/hpc/machine/list-files.ts';

/** Below the threads that answer. Only Linux gives a thread a priority of its own. */
const niceness = 10;

/** Runs the thread that list-apart.ts starts: answers the folder of a job with its files. */
if (process.platform === 'linux') setPriority(Math.max(niceness, getPriority()));
parentPort?.on('message', (folder: string) => {
  // The thread that answers sorts too, which takes no time if the files are in order.
  parentPort?.postMessage(sortByName(listJobFiles(folder)));
});
