import { FilesEnvironment, readEnvironment } from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';

/** The files of jobs in this deployment. */
export const jobFiles = openJobFiles(readEnvironment(FilesEnvironment));
