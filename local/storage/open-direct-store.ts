import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { holdToLength, streamBytes, streamPieces } from '#lib/byte-streams/byte-stream.ts';
import { ObjectNotFoundError, StorageUnavailableError } from '#lib/files/errors.ts';
import type { DirectStore } from '#lib/files/storage/direct-store.ts';
import type { Objects } from './objects.ts';
import { isShortage } from './objects-on-disk.ts';

/** Opens a bucket for functions in the same process, without sockets and signatures. */
export function openDirectStore(objects: Objects, bucket: string): DirectStore {
  async function find(key: string) {
    const object = await objects.find({ bucket, key });
    if (!object) throw new ObjectNotFoundError(key);
    return object;
  }
  const { adopt } = objects;
  return {
    ...(adopt && { adopt: (key, file) => adopt({ bucket, key }, file) }),
    async put(key, bytes) {
      await objects.write({ bucket, key }, bytes, false);
    },
    async putFrom(key, source) {
      const { bytes, stream } = await source.open();
      const fail = (found: number) => new Error(`There are ${found} of ${bytes} bytes announced.`);
      await objects.write({ bucket, key }, holdToLength(stream, bytes, fail), false);
    },
    async open(key) {
      const { bytes, open, place } = await find(key);
      const stream = bytes === 0 ? streamBytes(new Uint8Array()) : streamFile(open(0, bytes - 1));
      return { bytes, stream, place };
    },
    async read(key, range) {
      const { bytes, open } = await find(key);
      const first = range?.first ?? 0;
      const last = Math.min(range?.last ?? bytes, bytes - 1);
      if (first > last) return new Uint8Array();
      return buffer(open(first, last)).catch((error: unknown) => {
        throw isShortage(error) ? new StorageUnavailableError({ cause: error }) : error;
      });
    },
    async measure(key) {
      return (await objects.find({ bucket, key }))?.bytes;
    },
    remove: (key) => objects.remove({ bucket, key }),
    parts: {
      begin: (key, partBytes) => objects.parts.begin({ bucket, key }, partBytes),
      list: (key, id) => objects.parts.list({ bucket, key }, id),
      join: (key, id, parts) => objects.parts.join({ bucket, key }, id, parts),
    },
  };
}

function streamFile(file: Readable): ReadableStream<Uint8Array> {
  return streamPieces(file, () => void file.destroy());
}
