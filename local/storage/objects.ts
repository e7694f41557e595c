import { Readable } from 'node:stream';
import type { DiskPlace } from '#lib/byte-streams/byte-stream.ts';

export interface ObjectPlace {
  readonly bucket: string;
  readonly key: string;
}

export interface StoredObject {
  /** Missing if it is in memory. */
  readonly place?: DiskPlace;
  readonly bytes: number;
  /** Differs for another object in the same place. */
  readonly version: string;
  /** Both positions are inclusive. */
  open(first: number, last: number): Readable;
}

type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Stores the objects of the local storage. */
export interface Objects {
  /** Stores the whole object or nothing. With `once`, returns false if the object exists. */
  write(place: ObjectPlace, content: Content, once: boolean): Promise<boolean>;
  find(place: ObjectPlace): Promise<StoredObject | undefined>;
  /** Makes a file an object as well, or returns false. Missing if objects are in memory. */
  adopt?(place: ObjectPlace, file: DiskPlace): Promise<boolean>;
  remove(place: ObjectPlace): Promise<void>;
  /** False while the disk refuses writes. */
  canWrite(): boolean;
}

/** Keeps objects in memory, for services without data on disk. */
export function keepObjectsInMemory(): Objects {
  const objects = new Map<string, { readonly content: Buffer; readonly version: string }>();
  let written = 0;
  const name = ({ bucket, key }: ObjectPlace) => `${bucket}/${key}`;
  return {
    async write(place, content, once) {
      const chunks: Uint8Array[] = [];
      if (content instanceof Uint8Array) chunks.push(content);
      else for await (const chunk of content) chunks.push(chunk);
      if (once && objects.has(name(place))) return false;
      written += 1;
      objects.set(name(place), { content: Buffer.concat(chunks), version: String(written) });
      return true;
    },
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
