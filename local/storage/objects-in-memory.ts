import { Readable } from 'node:stream';
import type { ObjectPlace, Objects } from './objects.ts';

/** For services that keep nothing. */
export function keepObjectsInMemory(): Objects {
  const objects = new Map<string, Buffer>();
  const name = ({ bucket, key }: ObjectPlace) => `${bucket}/${key}`;
  return {
    async write(place, content, once) {
      const chunks: Uint8Array[] = [];
      if (content instanceof Uint8Array) chunks.push(content);
      else for await (const chunk of content) chunks.push(chunk);
      if (once && objects.has(name(place))) return false;
      objects.set(name(place), Buffer.concat(chunks));
      return true;
    },
    async find(place) {
      const content = objects.get(name(place));
      if (!content) return undefined;
      return {
        bytes: content.length,
        open: (first, last) => Readable.from([content.subarray(first, last + 1)]),
      };
    },
    async remove(place) {
      objects.delete(name(place));
    },
    canWrite: () => true,
  };
}
