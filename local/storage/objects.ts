import type { Readable } from 'node:stream';

export interface ObjectPlace {
  readonly bucket: string;
  readonly key: string;
}

export interface StoredObject {
  readonly bytes: number;
  /** Both ends included. */
  open(first: number, last: number): Readable;
}

/** At hand, or piece by piece. */
export type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Where the laptop's storage keeps what it was given. */
export interface Objects {
  /** All of it or nothing; `once` leaves what is there, and says false. */
  write(place: ObjectPlace, content: Content, once: boolean): Promise<boolean>;
  find(place: ObjectPlace): Promise<StoredObject | undefined>;
  remove(place: ObjectPlace): Promise<void>;
  /** False while the disk takes nothing more. */
  canWrite(): boolean;
}
