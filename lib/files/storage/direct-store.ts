import type { ByteSource, ByteStream, DiskPlace } from '#lib/byte-streams/byte-stream.ts';
import { openProvided } from '#lib/outbound/in-process.ts';
import type { PartStore } from './parts.ts';

/** The operations of the service itself on its files. */
export interface DirectStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes piece by piece. A source that fails, or is shorter than it says, leaves the old object.
   */
  putFrom(key: string, source: ByteSource): Promise<void>;
  /**
   * Reads the whole object, or a range with both ends included. A range behind the end is empty.
   * The bytes are held in memory, so measure objects that may be large first.
   */
  read(key: string, range?: { readonly first: number; readonly last: number }): Promise<Uint8Array>;
  /** Streams the whole object. The caller must read it to its end or cancel it. */
  open(key: string): Promise<ByteStream>;
  /** Returns the length in bytes, or undefined if there is no such object. */
  measure(key: string): Promise<number | undefined>;
  /** Does nothing if there is no such object. */
  remove(key: string): Promise<void>;
  /**
   * Makes a file on the disk of this machine an object, without a copy of its bytes. Returns false if
   * it is another file by now, or on another disk. Missing if the storage is elsewhere.
   */
  adopt?(key: string, file: DiskPlace): Promise<boolean>;
  readonly parts: PartStore;
}

/** The largest object of one S3 PUT, rounded down. */
export const maxObjectBytes = 5_000_000_000;

const storage = openProvided((_bucket: string): DirectStore | undefined => undefined);

/** Returns undefined if the storage is not in this process, so it is called over HTTP. */
export function openDirectly(bucket: string): DirectStore | undefined {
  return storage.inUse()(bucket);
}

/** Puts the storage into this process. */
export const storeInProcess = storage.provide;
