import type { ByteSource, ByteStream } from '#lib/byte-streams/byte-stream.ts';

/** What the service itself does with its files. */
export interface DirectStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Piece by piece; a source that fails, or is shorter than it says, leaves what was there. */
  putFrom(key: string, source: ByteSource): Promise<void>;
  /**
   * Whole, or a range of bytes, both ends included; a range behind the end is empty. It is held in
   * memory: measure first what may be large.
   */
  read(key: string, range?: ByteRange): Promise<Uint8Array>;
  /** Whole, piece by piece. Whoever opens it reads it to its end or cancels it. */
  open(key: string): Promise<ByteStream>;
  /** In bytes; undefined where there is none. */
  measure(key: string): Promise<number | undefined>;
  /** Harmless where there is none. */
  remove(key: string): Promise<void>;
}

export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** What S3 takes in one PUT, rounded down. */
export const maxObjectBytes = 5_000_000_000;

let open: ((bucket: string) => DirectStore) | undefined;

/** Undefined where the storage is somewhere else, and is called by its address. */
export function openDirectly(bucket: string): DirectStore | undefined {
  return open?.(bucket);
}

/** For a process that has the storage in itself, before its functions are loaded. */
export function storeInProcess(opened: typeof open): void {
  open = opened;
}
