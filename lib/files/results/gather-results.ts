import { crc32 } from 'node:zlib';
import { holdToLength } from '#lib/byte-streams/byte-stream.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { Connector, RemoteFile, SubmittedJob } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import type { ZipPart } from '#lib/zips/compose-zip.ts';
import { listParts } from '#lib/zips/list-parts.ts';
import { resultsKey, type SendingRun } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/** Lists the results that a run sent as a zip. Returns none if there is no zip. */
export async function gatherSent(results: ObjectStore, run: SendingRun): Promise<ZipPart[]> {
  const key = resultsKey(run);
  const bytes = await results.measure(key);
  return bytes === undefined ? [] : listParts(results, key, bytes);
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
  job: SubmittedJob,
  files: readonly RemoteFile[],
): Promise<ZipPart[]> {
  let room = keptBytes;
  return mapInParallel(files, filesAtOnce, async (file) => {
    const isKept = file.bytes <= room;
    if (isKept) room -= file.bytes;
    const pieces: Uint8Array[] = [];
    let checksum = 0;
    for await (const piece of readFile(connector, job, file)) {
      checksum = crc32(piece, checksum);
      if (isKept) pieces.push(piece);
    }
    return {
      name: file.name.replace(/^(\.?\/)+/, ''),
      isDeflated: false,
      crc32: checksum,
      packedBytes: file.bytes,
      expandedBytes: file.bytes,
      mode: 0,
      open: isKept ? () => inPieces(pieces) : () => readFile(connector, job, file),
    };
  });
}

/** The job has ended, so its files cannot change any more. */
async function* readFile(
  connector: Connector,
  job: SubmittedJob,
  { id, bytes }: RemoteFile,
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
