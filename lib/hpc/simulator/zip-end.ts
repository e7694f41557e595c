import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';

/** Opens a zip of which only the end is there, enough to read its directory. */
export function openZipEnd(end: Buffer, bytes: number): Promise<ZipFile> {
  return fromRandomAccessReaderPromise(new EndReader(end, bytes), bytes, { autoClose: false });
}

class EndReader extends RandomAccessReader {
  readonly #end: Buffer;
  readonly #first: number;

  constructor(end: Buffer, bytes: number) {
    super();
    this.#end = end;
    this.#first = bytes - end.length;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const start = position - this.#first;
    const copied = start < 0 ? 0 : this.#end.copy(buffer, offset, start, start + length);
    callback(copied === length ? null : new Error('These bytes were not kept.'));
  }
}
