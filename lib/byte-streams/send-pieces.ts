import type { ByteStream } from './byte-stream.ts';
import { streamPieces } from './stream-pieces.ts';
import type { TransferWatch } from './watch-transfer.ts';

export interface Sending {
  readonly bytes: number;
  /** Each piece is fetched when the receiver has taken the one before. */
  readonly stream: ReadableStream<Uint8Array>;
  /** What went wrong on our side: whoever sends wraps it in an error of the connection. */
  readonly failure: unknown;
  /** Whether the receiver has taken all of it. */
  isDone(): boolean;
  /** Harmless where it is done. */
  cancel(): void;
}

/** The bytes for a receiver that is watched, exactly as many as were announced. */
export function sendPieces({ bytes, stream }: ByteStream, watch: TransferWatch): Sending {
  const reader = stream.getReader();
  let taken = 0;
  let failure: unknown;
  const cancel = () => void reader.cancel().catch(() => undefined);
  async function* send() {
    try {
      for (;;) {
        watch.rest();
        const { done, value } = await reader.read();
        // What the receiver does with all of it takes a while, too: that is for the whole to bound.
        if (done) break;
        watch.expect();
        taken += value.byteLength;
        if (taken > bytes) throw new Error(`There are more than the ${bytes} bytes announced.`);
        yield value;
      }
      if (taken < bytes) throw new Error(`There are ${taken} of the ${bytes} bytes announced.`);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      cancel();
    }
  }
  return {
    bytes,
    stream: streamPieces(send(), cancel),
    get failure() {
      return failure;
    },
    isDone: () => taken === bytes,
    cancel,
  };
}
