import type { ByteStream } from '#lib/byte-streams/byte-stream.ts';
import { cutAfter, holdToLength } from '#lib/byte-streams/hold-to-length.ts';
import { readWhole } from '#lib/byte-streams/read-whole.ts';
import { streamPieces } from '#lib/byte-streams/stream-pieces.ts';
import type { Connector, OpenedFile, RemoteFile, SubmittedJob } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { FileTooLargeError } from '../errors.ts';
import { maxObjectBytes } from '../storage/direct-store.ts';
import { inlineBytes } from './hand-out-file.ts';
import { type FileSource, nameToSave, sortByName } from './job-file.ts';
import { type RelayPlaces, relayFile } from './relay-files.ts';

export interface RemoteJob extends SubmittedJob {
  /** Whether its files change no more. */
  readonly ended: boolean;
}

/** Files that the HPC system keeps: each is fetched when it is asked for. */
export function openRemoteFiles(
  connect: () => Promise<Connector>,
  job: RemoteJob,
  places: RelayPlaces,
): FileSource {
  return {
    list: async () => sortByName(await (await connect()).listFiles(job)),
    async fetch(fileId) {
      const connector = await connect();
      const file = (await connector.listFiles(job)).find(({ id }) => id === fileId);
      if (!file) throw new RemoteFileNotFoundError();
      const { name, bytes } = file;
      if (bytes > maxObjectBytes) throw new FileTooLargeError(bytes, maxObjectBytes);
      const open = () => connector.openFile(job, fileId);
      if (bytes <= inlineBytes) {
        return { kind: 'bytes', name: nameToSave(name), bytes: await readInline(await open()) };
      }
      const { owner, jobId, ended: settled } = job;
      const relayed = { owner, jobId, fileId, name, bytes, settled };
      const source = { open: async () => fixLength(await open(), job, file) };
      return relayFile(places, relayed, source);
    },
  };
}

/** It may have grown since it was listed. The next time it is listed as long as it is. */
async function readInline({ stream }: OpenedFile): Promise<Uint8Array> {
  const bytes = await readWhole(stream, inlineBytes);
  if (!bytes) throw new SystemUnavailableError('A file has grown while it was read.');
  return bytes;
}

/**
 * Tells the storage a length before the first byte, and never more than was listed, for that is how
 * much room was reserved. Of an ended job exactly that much must come; of a living one the file is
 * handed out as it was when it was listed.
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
