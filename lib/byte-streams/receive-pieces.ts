import { streamPieces } from './stream-pieces.ts';
import type { TransferWatch } from './watch-transfer.ts';

/**
 * What a sender that is watched sends, piece by piece as somebody asks for it. `explain` makes of
 * whatever ends it too early an error that says who is at fault.
 */
export function receivePieces(
  pieces: AsyncIterable<Uint8Array>,
  watch: TransferWatch,
  explain: (error: unknown) => Error,
): ReadableStream<Uint8Array> {
  async function* receive() {
    try {
      watch.expect();
      for await (const piece of pieces) {
        watch.rest();
        yield piece;
        watch.expect();
      }
    } catch (error) {
      throw explain(error);
    } finally {
      watch.end();
    }
  }
  // Nobody has asked yet.
  watch.rest();
  return streamPieces(receive(), () => watch.hangUp());
}
