/** Bytes on their way, of which nobody holds more than a piece: read once, to the end or cancelled. */
export interface ByteStream {
  /** Exactly so many come. */
  readonly bytes: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/** What can be read again from its beginning: a try that failed has read some of it. */
export interface ByteSource {
  open(): Promise<ByteStream>;
}

/**
 * A stream that asks for a piece when somebody asks it for one, and holds none itself. `release`
 * lets go of what is behind the pieces: a generator that was never begun cannot do so itself.
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

/** All of it in one piece of memory; nothing where it is longer than what may be held. */
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

/** Passes on what comes, and fails where it is not as much as was announced. */
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

/** Passes on the first bytes, and cancels what comes behind them. */
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
