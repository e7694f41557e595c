import { AnswerTooLargeError } from '#lib/hpc/call-upstream.ts';
import type { Connector, RemoteFile, SubmittedJob } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { maxFileBytes } from '#lib/hpc/max-file-bytes.ts';
import { FileTooLargeError } from '../errors.ts';
import { relayKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { handOutFile, inlineBytes, pointToFile } from './hand-out-file.ts';
import { type FileSource, sortByName } from './job-file.ts';

export interface RemoteJob extends SubmittedJob {
  /** Whether its files change no more. */
  readonly ended: boolean;
}

/** Files that the HPC system keeps: each is fetched when it is asked for. */
export function openRemoteFiles(
  connect: () => Promise<Connector>,
  job: RemoteJob,
  results: ObjectStore,
): FileSource {
  return {
    list: async () => sortByName(await (await connect()).listFiles(job)),
    async fetch(fileId) {
      const connector = await connect();
      const file = (await connector.listFiles(job)).find(({ id }) => id === fileId);
      if (!file) throw new RemoteFileNotFoundError();
      if (file.bytes > maxFileBytes) throw new FileTooLargeError(file.bytes, maxFileBytes);
      const key = relayKey(job.owner, job.jobId, fileId);
      if (job.ended && (await isRelayed(results, key, file))) {
        return pointToFile(results, key, file.name);
      }
      return handOutFile(results, key, file.name, await fetchFile(connector, job, fileId));
    },
  };
}

/** From an earlier request: one that ran out of time may have come this far. */
async function isRelayed(results: ObjectStore, key: string, file: RemoteFile): Promise<boolean> {
  return file.bytes > inlineBytes && (await results.measure(key)) === file.bytes;
}

/** The list may have been older than the file. */
async function fetchFile(
  connector: Connector,
  job: RemoteJob,
  fileId: string,
): Promise<Uint8Array> {
  try {
    return await connector.fetchFile(job, fileId);
  } catch (error) {
    if (!(error instanceof AnswerTooLargeError)) throw error;
    throw new FileTooLargeError(undefined, maxFileBytes);
  }
}
