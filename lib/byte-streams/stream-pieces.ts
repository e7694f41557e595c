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
