import { crc32 } from 'node:zlib';
import { holdToLength } from '#lib/byte-streams/byte-stream.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { Connector, RemoteFile, SubmittedJob } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import type { ZipPart } from '#lib/zips/compose-zip.ts';
import { listParts, openWindow } from '#lib/zips/list-parts.ts';
import { resultsKey, type SendingRun } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/**
 * Returns a function that lists the results which a run sent as a zip, or none if there is no zip.
 * What it lists is read run by run.
 */
export function openSentResults(results: ObjectStore) {
  const window = openWindow(results);
  return async (run: SendingRun): Promise<ZipPart[]> => {
    const key = resultsKey(run);
    const bytes = await results.measure(key);
    return bytes === undefined ? [] : listParts(results, key, bytes, window);
  };
}

/** A file that the system of a job keeps. */
export interface KeptFile extends RemoteFile {
  readonly job: SubmittedJob;
}

/** Files that are read from a system in parallel. */
const filesAtOnce = 8;

/** Files up to this many bytes together are kept in memory instead of being read twice. */
const keptBytes = 32_000_000;

/**
 * Reads every file once for its checksum, which a zip needs before the content. The content of
 * small files is kept, and a large one is read again when it is written.
 */
export async function gatherRemote(
  connector: Connector,
  files: readonly KeptFile[],
): Promise<ZipPart[]> {
  let room = keptBytes;
  const gatherOne = async (file: KeptFile): Promise<ZipPart> => {
    const isKept = file.bytes <= room;
    if (isKept) room -= file.bytes;
    const pieces: Uint8Array[] = [];
    let checksum = 0;
    for await (const piece of readFile(connector, file)) {
      checksum = crc32(piece, checksum);
      if (isKept) pieces.push(piece);
    }
    return {
      name: file.name,
      isDeflated: false,
      crc32: checksum,
      packedBytes: file.bytes,
      expandedBytes: file.bytes,
      mode: 0,
      open: isKept ? () => inPieces(pieces) : () => readFile(connector, file),
    };
  };
  return mapInParallel(files, filesAtOnce, gatherOne, { stopAtFailure: true });
}

/** The job has ended, so its files cannot change any more. */
async function* readFile(
  connector: Connector,
  { job, id, bytes }: KeptFile,
): AsyncGenerator<Uint8Array> {
  const { stream } = await connector.openFile(job, id);
  yield* holdToLength(
    stream,
    bytes,
    (found) => new SystemUnavailableError(`A file of ${bytes} bytes came with ${found}.`),
  );
}

async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
