import { parentPort } from 'node:worker_threads';
import { sortByName } from '#lib/files/results/job-file.ts';
import type { FilePage } from '#lib/hpc/connector.ts';
import { listJobFiles } from '#lib/hpc/machine/files/list-files.ts';
import { listPage } from '#lib/hpc/machine/files/list-page.ts';
import type { ListingQuestion } from './list-apart.ts';
import { yieldToOthers } from './work-apart.ts';

/** Runs the thread that list-apart.ts starts: answers the folder of a job with its files. */
yieldToOthers();
parentPort?.on('message', ({ wish, ...place }: ListingQuestion) => {
  parentPort?.postMessage(wish ? listPage(place, wish) : listAll(place.folder));
});

/** The thread that answers sorts too, which takes no time if the files are in order. */
function listAll(folder: string): FilePage {
  const files = sortByName(listJobFiles(folder));
  return { files: files.map((file) => ({ ...file, position: file.name })), next: undefined };
}
