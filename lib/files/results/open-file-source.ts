import {
  type ByteStream,
  cutAfter,
  holdToLength,
  readWhole,
  streamPieces,
} from '#lib/byte-streams/byte-stream.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { Connector, OpenedFile, RemoteFile, SubmittedJob } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { FileTooLargeError } from '../errors.ts';
import type { SendingRun } from '../object-keys.ts';
import { maxObjectBytes } from '../storage/direct-store.ts';
import {
  chooseByName,
  choosePage,
  type FileSource,
  inlineBytes,
  nameToSave,
  noFiles,
  sortByName,
} from './job-file.ts';
import { isStreamName, openOutputTail } from './output-tail.ts';
import { adoptFile, type RelayStores, relayFile } from './relay-files.ts';
import { openResultsZip } from './results-zip.ts';

/** A job by the run that counts. */
export interface FileOwner extends SendingRun {
  readonly stage: string;
  readonly terminal: boolean;
  /** The account the job runs as on its system, unless that is the service's own. */
  readonly login?: string | undefined;
  /** The system's own name for the job, once it has been handed over. */
  readonly handle: string | undefined;
}

export interface FileStores extends RelayStores {
  /** True if the job sends its results to us. Otherwise its system keeps them. */
  readonly sendsResults: boolean;
  /** Called only if the system has to be asked. */
  readonly connect: () => Promise<Connector>;
}

export function openFileSource(
  { jobId, owner, run, login, stage, terminal: ended, handle }: FileOwner,
  { sendsResults, connect, ...stores }: FileStores,
): FileSource {
  if (stage === ownStages.deleted) return noFiles;
  if (sendsResults) return openSentFiles(stores, { owner, jobId, run });
  if (handle === undefined) return noFiles;
  return openRemoteFiles(connect, { jobId, owner, login, handle, ended }, stores);
}

/**
 * Falls back to the output that a job sent while it ran, until its results arrive or if they never
 * do.
 */
function openSentFiles(stores: RelayStores, run: SendingRun): FileSource {
  const zip = openResultsZip(stores, run);
  const output = openOutputTail(stores.results, run);
  const list = async () => {
    const files = await zip.list();
    return files.length > 0 ? files : output.list();
  };
  return {
    list,
    async page(wish) {
      const page = await zip.page(wish);
      const isThere = page.files.length > 0 || page.next !== undefined || wish.after !== undefined;
      return isThere ? page : choosePage(await output.list(), wish);
    },
    fetch: (fileId) => (isStreamName(fileId) ? output : zip).fetch(fileId),
    find: async (name, mostBytes) =>
      (await zip.find(name, mostBytes)) ?? output.find(name, mostBytes),
  };
}

type FileReader = Pick<Connector, 'listFiles' | 'listPage' | 'findFile' | 'openFile'>;

interface RemoteJob extends SubmittedJob {
  /** True once the files can no longer change. */
  readonly ended: boolean;
}

/** Opens files that the HPC system keeps. Each is fetched when it is requested. */
export function openRemoteFiles(
  connect: () => Promise<FileReader>,
  job: RemoteJob,
  stores: RelayStores,
): FileSource {
  return {
    list: async () => sortByName(await (await connect()).listFiles(job)),
    async page(wish) {
      const connector = await connect();
      return connector.listPage?.(job, wish) ?? choosePage(await connector.listFiles(job), wish);
    },
    async fetch(fileId) {
      const connector = await connect();
      const file = await findFile(connector, job, fileId);
      const { name, bytes, place } = file;
      const open = () => connector.openFile(job, fileId);
      if (bytes <= inlineBytes) {
        return { kind: 'bytes', name: nameToSave(name), bytes: await readInline(await open()) };
      }
      const { owner, jobId, ended: settled } = job;
      const relayed = { owner, jobId, fileId, name, bytes, settled, place };
      const adopted = await adoptFile(stores, relayed);
      if (adopted) return adopted;
      if (bytes > maxObjectBytes) throw new FileTooLargeError(bytes, maxObjectBytes);
      const source = { open: async () => fixLength(await open(), job, file) };
      return relayFile(stores, relayed, source);
    },
    async find(name, mostBytes) {
      const connector = await connect();
      const file = await findNamed(connector, job, name);
      if (!file || file.bytes > mostBytes) return file;
      return { ...file, content: await readInline(await connector.openFile(job, file.id)) };
    },
  };
}

/** On most systems the id of a file is its name, and looking it up spares a list of all files. */
async function findNamed(
  connector: FileReader,
  job: SubmittedJob,
  name: string,
): Promise<RemoteFile | undefined> {
  const guessed = await connector.findFile?.(job, name).catch(unlessMissing);
  if (guessed?.name === name) return guessed;
  return chooseByName(await connector.listFiles(job), (file) => file.name, name);
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof RemoteFileNotFoundError)) throw error;
}

async function findFile(
  connector: FileReader,
  job: SubmittedJob,
  fileId: string,
): Promise<RemoteFile> {
  if (connector.findFile) return connector.findFile(job, fileId);
  const file = (await connector.listFiles(job)).find(({ id }) => id === fileId);
  if (!file) throw new RemoteFileNotFoundError();
  return file;
}

/** The file may have grown since it was listed. The next listing will show its new length. */
async function readInline({ stream }: OpenedFile): Promise<Uint8Array> {
  const bytes = await readWhole(stream, inlineBytes);
  if (!bytes) throw new SystemUnavailableError('A file has grown while it was read.');
  return bytes;
}

/**
 * Tells the storage the length before the first byte. It is never more than was listed, because
 * that is how much room was reserved. An ended job must deliver exactly that much. The file of an
 * active job is cut to the length it had when it was listed.
 */
function fixLength(opened: OpenedFile, { ended }: RemoteJob, file: RemoteFile): ByteStream {
  const { bytes, stream } = opened;
  if (bytes !== undefined && bytes <= file.bytes) return { bytes, stream };
  const fail = (found: number) =>
    new SystemUnavailableError(`A file of ${file.bytes} bytes came with ${found}.`);
  const pieces = holdToLength(ended ? stream : cutAfter(stream, file.bytes), file.bytes, fail);
  const release = () => void stream.cancel().catch(() => undefined);
  return { bytes: file.bytes, stream: streamPieces(pieces, release) };
}
