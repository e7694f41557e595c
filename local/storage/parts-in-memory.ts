import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ObjectParts, Objects } from './objects.ts';

/** Keeps the parts of objects in memory until `write` stores them as one. */
export function keepPartsInMemory(write: Objects['write']): ObjectParts {
  const uploads = new Map<
    string,
    Map<number, { readonly content: Buffer; readonly tag: string }>
  >();
  return {
    async begin() {
      const id = randomUUID();
      uploads.set(id, new Map());
      return id;
    },
    async write(_, id, number, content) {
      const bytes = await buffer(content);
      uploads.get(id)?.set(number, { content: bytes, tag: randomUUID() });
      return uploads.has(id);
    },
    async list(_, id) {
      const parts = [...(uploads.get(id) ?? [])].sort(([one], [other]) => one - other);
      return uploads.has(id)
        ? parts.map(([number, { content, tag }]) => ({ number, bytes: content.length, tag }))
        : undefined;
    },
    async join(place, id, parts) {
      const kept = uploads.get(id);
      const found = parts.map(({ number, tag }) => {
        const part = kept?.get(number);
        return part?.tag === tag ? part.content : undefined;
      });
      const contents = found.filter((content) => content !== undefined);
      if (contents.length < parts.length || !uploads.delete(id)) return false;
      return write(place, Buffer.concat(contents), false);
    },
  };
}
