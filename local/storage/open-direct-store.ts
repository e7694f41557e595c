import { buffer } from 'node:stream/consumers';
import { ObjectNotFoundError } from '#lib/files/errors.ts';
import type { DirectStore } from '#lib/files/storage/direct-store.ts';
import type { Objects } from './objects.ts';

/** A bucket for the functions of the process that has the storage: no socket, and nothing to sign. */
export function openDirectStore(objects: Objects, bucket: string): DirectStore {
  return {
    async put(key, bytes) {
      await objects.write({ bucket, key }, inOnePiece(bytes), false);
    },
    async read(key, range) {
      const object = await objects.find({ bucket, key });
      if (!object) throw new ObjectNotFoundError(key);
      const first = range?.first ?? 0;
      const last = Math.min(range?.last ?? object.bytes, object.bytes - 1);
      return first > last ? new Uint8Array() : buffer(object.open(first, last));
    },
    async measure(key) {
      return (await objects.find({ bucket, key }))?.bytes;
    },
    remove: (key) => objects.remove({ bucket, key }),
  };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
