import type { Settings } from '../calls/settings.ts';
import type { Estimate, Job } from '../generated/operations.ts';
import type { FileOfJob } from '../jobs/read-file.ts';
import { createClient as createPlainClient, type Slipway } from '../slipway.ts';
import { putOverHttp } from './put-over-http.ts';
import { type SaveOptions, saveFile } from './save/save-file.ts';
import { type SavedFile, type SaveFilesOptions, saveFiles } from './save/save-files.ts';
import { type SubmissionOnNode, withInput } from './submission-on-node.ts';

/** The client with what needs a disk: folders that are submitted, files that are saved. */
export interface SlipwayOnNode extends Slipway {
  submit(submission: SubmissionOnNode): Promise<Job>;
  estimate(submission: SubmissionOnNode): Promise<Estimate>;
  /** Writes a file of a job to the disk, and says how many bytes it has. */
  saveFile(file: FileOfJob, path: string, options?: SaveOptions): Promise<number>;
  /** Saves the files of a job below a folder, by their names. */
  saveFiles(job: Job, folder: string, options?: SaveFilesOptions): Promise<SavedFile[]>;
}

export function createClient(settings: Settings): SlipwayOnNode {
  const client = createPlainClient({ putFile: putOverHttp, ...settings });
  return {
    ...client,
    submit: (submission) => withInput(submission, client.submit),
    estimate: (submission) => withInput(submission, client.estimate),
    saveFile: (file, path, options) => saveFile(client, file, path, options),
    saveFiles: (job, folder, options) => saveFiles(client, job, folder, options),
  };
}
