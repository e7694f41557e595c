import { createReadStream, openAsBlob as openSmall } from 'node:fs';
import { stat } from 'node:fs/promises';

/** From here on, the platform counts the bytes of a file wrongly (Node 20.20 and 24.21). */
const countedBytes = 2 ** 32;

/** Opens a file of any size. */
export async function openAsBlob(path: string): Promise<Blob> {
  const { size } = await stat(path);
  return size < countedBytes ? openSmall(path) : new LargeFile(path, 0, size);
}

/** A range of a file that is read when it is streamed. */
class LargeFile extends Blob {
  readonly #path: string;
  readonly #first: number;
  readonly #end: number;

  constructor(path: string, first: number, end: number) {
    super();
    this.#path = path;
    this.#first = first;
    this.#end = end;
  }

  override get size(): number {
    return this.#end - this.#first;
  }

  override slice(first = 0, end = this.size): Blob {
    const place = (at: number) => this.#first + Math.min(at, this.size);
    return new LargeFile(this.#path, place(first), Math.max(place(first), place(end)));
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    if (this.size === 0) return new Blob([]).stream();
    const file = createReadStream(this.#path, { start: this.#first, end: this.#end - 1 });
    const pieces = file[Symbol.asyncIterator]();
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      cancel: () => void file.destroy(),
    });
  }
}
