import { Readable } from 'node:stream';

export interface ObjectPlace {
  readonly bucket: string;
  readonly key: string;
}

export interface StoredObject {
  readonly bytes: number;
  /** Both ends included. */
  open(first: number, last: number): Readable;
}

/** In memory, or as a stream. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Where the laptop's storage keeps what it was given. */
export interface Objects {
  /** Stores the whole object or nothing. With `once`, keeps an existing object and returns false. */
  write(place: ObjectPlace, content: Content, once: boolean): Promise<boolean>;
  find(place: ObjectPlace): Promise<StoredObject | undefined>;
  remove(place: ObjectPlace): Promise<void>;
  /** False while the disk takes nothing more. */
  canWrite(): boolean;
}

/** Keeps objects in memory, for services without data on disk. */
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
