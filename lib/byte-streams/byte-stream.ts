/** A stream of bytes that is never held whole. It is read once, to the end or until cancelled. */
export interface ByteStream {
  /** The exact number of bytes to come. */
  readonly bytes: number;
  readonly stream: ReadableStream<Uint8Array>;
  /** Where the same bytes are on the disk of this machine, so that they need not be copied. */
  readonly place?: DiskPlace | undefined;
}

/** A file as it was found. Its path may lead elsewhere by now, so compare what is there with it. */
export interface DiskPlace {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

/** A source that can be read again from its start, so a failed try can be repeated. */
export interface ByteSource {
  open(): Promise<ByteStream>;
}

/**
 * Makes a stream that pulls a piece only when asked for one. `release` frees what is behind the
 * pieces, because a generator that never started cannot do that itself.
 */
export function streamPieces(
  pieces: AsyncIterable<Uint8Array>,
  release: () => void,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        release();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

export function streamBytes(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return streamPieces(inOnePiece(bytes), () => undefined);
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Reads a whole stream into memory, or returns undefined if it is longer than allowed. */
export async function readWhole(
  pieces: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of pieces) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Passes bytes on, and fails if their number is not as announced. */
export async function* holdToLength(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
  fail: (found: number) => Error,
): AsyncGenerator<Uint8Array> {
  let found = 0;
  for await (const piece of pieces) {
    found += piece.byteLength;
    if (found > bytes) throw fail(found);
    yield piece;
  }
  if (found < bytes) throw fail(found);
}

/** Passes the first bytes on, and cancels the rest. */
export async function* cutAfter(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= piece.byteLength;
    if (left <= 0) return;
  }
}
