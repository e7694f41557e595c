import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { type FileSource, noFiles } from './job-file.ts';
import { isStreamName, openOutputTail } from './output-tail.ts';
import type { RelayPlaces } from './relay-files.ts';
import { openRemoteFiles } from './remote-files.ts';
import { openResultsZip } from './results-zip.ts';

export interface FileOwner {
  readonly jobId: JobId;
  readonly owner: UserId;
  readonly stage: string;
  readonly terminal: boolean;
  /** The account as which it runs on its system, where that is not the service's. */
  readonly login?: string | undefined;
  /** The system's own name for the job, once it has been handed over. */
  readonly handle: string | undefined;
}

export interface FilePlaces extends RelayPlaces {
  /** Whether the job sends its results to us; otherwise its system keeps them. */
  readonly sendsResults: boolean;
  /** Called only where the system is to be asked. */
  readonly connect: () => Promise<Connector>;
}

export function openFileSource(
  { jobId, owner, login, stage, terminal: ended, handle }: FileOwner,
  { sendsResults, connect, ...places }: FilePlaces,
): FileSource {
  if (stage === ownStages.deleted) return noFiles;
  if (sendsResults) return openSentFiles(places, owner, jobId);
  if (handle === undefined) return noFiles;
  return openRemoteFiles(connect, { jobId, owner, login, handle, ended }, places);
}

/** Until its results are there, and where they never came, what a job sent while it ran. */
function openSentFiles(places: RelayPlaces, owner: UserId, jobId: JobId): FileSource {
  const zip = openResultsZip(places, owner, jobId);
  const output = openOutputTail(places.results, owner, jobId);
  return {
    async list() {
      const files = await zip.list();
      return files.length > 0 ? files : output.list();
    },
    fetch: (fileId) => (isStreamName(fileId) ? output : zip).fetch(fileId),
  };
}
