import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FilePut } from '../calls/put-file.ts';
import type { Settings } from '../calls/settings.ts';
import type { Batch, BatchEstimate, Estimate, Job } from '../generated/operations.ts';
import type { FileOfJob, FileOfProject } from '../jobs/read-file.ts';
import type { BatchSubmission, Submission } from '../jobs/submission.ts';
import type { ProjectPlace } from '../rows/match-projects.ts';
import { createClient as createPlainClient, type Slipway } from '../slipway.ts';
import { openAsBlob } from './open-as-blob.ts';
import { packFolder, type TemporaryFile, writeTemporaryFile } from './pack-folder.ts';
import {
  type SavedFile,
  type SaveFilesOptions,
  type SaveOptions,
  saveFile,
  saveFiles,
} from './save-files.ts';
import { sendParts } from './send-parts.ts';

/** The client with the methods that need a disk: submitting folders and saving files. */
export interface SlipwayOnNode extends Slipway {
  submit(submission: SubmissionOnNode): Promise<Job>;
  estimate(submission: SubmissionOnNode): Promise<Estimate>;
  submitBatch(batch: SubmissionOnNode & BatchSubmission): Promise<Batch>;
  estimateBatch(batch: SubmissionOnNode & BatchSubmission): Promise<BatchEstimate>;
  /** Saves a file of a job, or of the folder of a project, and returns its size in bytes. */
  saveFile(file: FileOfJob | FileOfProject, path: string, options?: SaveOptions): Promise<number>;
  /** Saves the files of a job, or of the folder of a project, below a folder, by their names. */
  saveFiles(
    source: Job | ProjectPlace,
    folder: string,
    options?: SaveFilesOptions,
  ): Promise<SavedFile[]>;
}

export function createClient(settings: Settings): SlipwayOnNode {
  const client = createPlainClient({ putFile: putOverHttp, sendParts, ...settings });
  return {
    ...client,
    submit: (submission) => withInput(submission, client.submit),
    estimate: (submission) => withInput(submission, client.estimate),
    submitBatch: (batch) => withInput(batch, client.submitBatch),
    estimateBatch: (batch) => withInput(batch, client.estimateBatch),
    saveFile: (file, path, options) => saveFile(client, file, path, options),
    saveFiles: (source, folder, options) => saveFiles(client, source, folder, options),
  };
}

/**
 * A submission whose input may also be a folder, which is packed, or a zip on the disk. Give at
 * most one.
 */
export interface SubmissionOnNode extends Submission {
  readonly folder?: string | undefined;
  /** The path of a zip. */
  readonly zip?: string | undefined;
}

/** Prepares the input of a submission, uses it, and cleans up. */
async function withInput<Result>(
  { folder, zip, ...submission }: SubmissionOnNode & BatchSubmission,
  use: (submission: BatchSubmission) => Promise<Result>,
): Promise<Result> {
  const { input, signal } = submission;
  if ([folder, zip, input].filter((each) => each !== undefined).length > 1) {
    throw new TypeError("Give one of 'folder', 'zip' and 'input'.");
  }
  if (zip !== undefined) {
    return use({ filename: basename(zip), ...submission, input: await openAsBlob(zip) });
  }
  const file = await writeInput(folder ?? input, signal);
  if (!file) return use(submission);
  try {
    return await use({ ...submission, input: file.blob });
  } finally {
    await file.remove();
  }
}

/** Packs a folder. Stores a stream in a file, because it may be long and cannot be sent twice. */
async function writeInput(
  input: string | Submission['input'],
  signal?: AbortSignal,
): Promise<TemporaryFile | undefined> {
  if (typeof input === 'string') return packFolder(input, { ...(signal && { signal }) });
  if (!(input instanceof ReadableStream)) return undefined;
  return writeTemporaryFile((file) => file.writeFile(input, { ...(signal && { signal }) }));
}

/** A refusal of the storage has a few hundred bytes. */
const mostAnswerBytes = 1_000_000;

/** Sends a file over node:http and counts the bytes, because `fetch` reports no progress. */
async function putOverHttp(put: FilePut): Promise<number> {
  const { address, headers, blob, signal, timeout } = put;
  // Loaded late, because it takes longer to load than the rest of the client.
  const { request: open } = await (address.startsWith('https:')
    ? import('node:https')
    : import('node:http'));
  const request = open(address, {
    method: 'PUT',
    headers: { ...headers, 'content-length': blob.size },
    ...(signal && { signal }),
    ...(timeout !== undefined && { timeout }),
  });
  request.on('timeout', () => request.destroy(new Error('It timed out')));
  const answered = new Promise<number>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      let received = 0;
      response.on('data', (piece: Buffer) => {
        received += piece.length;
        if (received > mostAnswerBytes) request.destroy(new Error('Its answer is too long'));
      });
      response.on('end', () => {
        resolve(response.statusCode ?? 0);
        // A storage that refuses may answer early and stop reading.
        if (!request.writableFinished) request.destroy();
      });
      response.on('error', reject);
    });
  });
  const sent = pipeline(countBytes(put), request).catch(() => answered);
  const [status] = await Promise.all([answered, sent]);
  return status;
}

/** Splits Blobs in memory, which stream as one piece. */
const pieceBytes = 65_536;

async function* countBytes({ blob, onProgress }: FilePut): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of blob.stream()) {
    for (let from = 0; from < chunk.length; from += pieceBytes) {
      const piece = chunk.subarray(from, from + pieceBytes);
      yield piece;
      sent += piece.length;
      onProgress?.(sent, blob.size);
    }
  }
}
