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
