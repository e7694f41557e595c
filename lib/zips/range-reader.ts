import { RandomAccessReader } from 'yauzl';
import { UnsafeZipError } from './errors.ts';
import { zipLimits } from './zip-directory.ts';

/** What a zip can be read from: an object in the storage, or a file. */
export interface RangeStore {
  /** Both ends of the range are included. */
  read(key: string, range: { readonly first: number; readonly last: number }): Promise<Uint8Array>;
}

/** Larger than most directories, so one call fetches all of it. */
const blockBytes = 1_000_000;

/**
 * Reads a stored zip from its directory at the end, so even gigabytes are inspected by fetching a
 * few of their last bytes. The library reads directory lines one by one; each block is fetched once
 * and serves all lines in it.
 */
export class RangeReader extends RandomAccessReader {
  readonly #store: RangeStore;
  readonly #key: string;
  readonly #bytes: number;
  #block = { first: 0, content: Buffer.alloc(0) };
  #fetched = 0;
  /** Set if reading failed for a reason other than the zip itself. */
  failure: unknown;

  constructor(store: RangeStore, key: string, bytes: number) {
    super();
    this.#store = store;
    this.#key = key;
    this.#bytes = bytes;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.find(position, length).then(
      (found) => {
        found.copy(buffer, offset);
        callback(found.length === length ? null : new Error('It ends too early.'));
      },
      (error: unknown) => {
        this.failure = error;
        callback(error instanceof Error ? error : new Error('It cannot be read.'));
      },
    );
  }

  async find(position: number, length: number): Promise<Buffer> {
    const start = position - this.#block.first;
    if (start < 0 || start + length > this.#block.content.length) {
      await this.#fetch(position, length);
      return this.#block.content.subarray(0, length);
    }
    return this.#block.content.subarray(start, start + length);
  }

  async #fetch(position: number, length: number): Promise<void> {
    const last = Math.min(position + Math.max(length, blockBytes), this.#bytes) - 1;
    if (last < position) throw new UnsafeZipError(['It is damaged or cut off.']);
    this.#fetched += last - position + 1;
    if (this.#fetched > zipLimits.directoryBytes) {
      const limit = zipLimits.directoryBytes;
      throw new UnsafeZipError([`Its directory is larger than the ${limit} bytes allowed.`]);
    }
    const content = await this.#store.read(this.#key, { first: position, last });
    this.#block = { first: position, content: Buffer.from(content) };
  }
}
