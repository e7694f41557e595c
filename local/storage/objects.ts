import type { Readable } from 'node:stream';
import type { DiskPlace } from '#lib/byte-streams/byte-stream.ts';
import type { StoredPart } from '#lib/files/storage/parts.ts';

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
  readonly parts: ObjectParts;
}

/** Objects that are sent in parts (lib/files/storage/parts.ts). */
export interface ObjectParts {
  begin(place: ObjectPlace, partBytes: number): Promise<string>;
  /** Stores the whole part or nothing. Returns false if there is no such upload. */
  write(
    place: ObjectPlace,
    id: string,
    number: number,
    content: AsyncIterable<Uint8Array>,
  ): Promise<boolean>;
  list(place: ObjectPlace, id: string): Promise<readonly StoredPart[] | undefined>;
  join(place: ObjectPlace, id: string, parts: readonly StoredPart[]): Promise<boolean>;
}
