import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ObjectPlace, Objects } from './objects.ts';
import { keepPartsInMemory } from './parts-in-memory.ts';

/** Keeps objects in memory, for services without data on disk. */
export function keepObjectsInMemory(): Objects {
  const objects = new Map<string, { readonly content: Buffer; readonly version: string }>();
  let written = 0;
  const name = ({ bucket, key }: ObjectPlace) => `${bucket}/${key}`;
  const write: Objects['write'] = async (place, content, once) => {
    const bytes = content instanceof Uint8Array ? Buffer.from(content) : await buffer(content);
    if (once && objects.has(name(place))) return false;
    written += 1;
    objects.set(name(place), { content: bytes, version: String(written) });
    return true;
  };
  return {
    write,
    parts: keepPartsInMemory(write),
    async find(place) {
      const { content, version } = objects.get(name(place)) ?? {};
      if (!content || version === undefined) return undefined;
      return {
        bytes: content.length,
        version,
        open: (first, last) => Readable.from([content.subarray(first, last + 1)]),
      };
    },
    async remove(place) {
      objects.delete(name(place));
    },
    canWrite: () => true,
  };
}
