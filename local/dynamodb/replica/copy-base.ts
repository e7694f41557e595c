import { createHash } from 'node:crypto';
import { openSync, read } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

const chunkBytes = 1_048_576;
const readChunk = promisify(read);

/**
 * Copies the main file of an open database, while it is in use. The copy alone is not consistent:
 * pages may change meanwhile. They are in the log too, which is replayed over the copy.
 */
export class BaseCopy {
  readonly #main: number;

  constructor(main: string) {
    // Never closed, because closing it would release SQLite's locks.
    this.#main = openSync(main, 'r');
  }

  /** Returns the checksum and the size of the copy. */
  async write(file: string): Promise<{ sha256: string; bytes: number }> {
    const hash = createHash('sha256');
    const copy = await open(file, 'w', 0o600);
    try {
      for (let position = 0; ; ) {
        const chunk = Buffer.alloc(chunkBytes);
        const { bytesRead } = await readChunk(this.#main, chunk, 0, chunkBytes, position);
        if (bytesRead === 0) {
          await copy.sync();
          return { sha256: hash.digest('hex'), bytes: position };
        }
        const bytes = chunk.subarray(0, bytesRead);
        hash.update(bytes);
        await copy.write(bytes, 0, bytesRead, position);
        position += bytesRead;
      }
    } finally {
      await copy.close();
    }
  }
}
