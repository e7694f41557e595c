import { type ByteStream, streamPieces } from './byte-stream.ts';

export interface TransferWatch {
  readonly signal: AbortSignal;
  /** Why it was ended, if it was. */
  readonly stopped: 'stalled' | 'too slow' | undefined;
  /** From now on so many milliseconds, however well it moves. */
  allow(ms: number): void;
  /** The other side has its turn: from now on it may be silent for so long and no longer. */
  expect(): void;
  /** It is not for the other side to do something. */
  rest(): void;
  /** It is over, and well. */
  end(): void;
  /** Nobody wants the rest of it. */
  hangUp(): void;
}

/**
 * Ends a transfer whose other side is silent, or that takes far too long. A transfer has no time of
 * its own: it takes what its bytes take, as long as they move.
 */
export function watchTransfer(stallMs: number): TransferWatch {
  const stopping = new AbortController();
  let stopped: TransferWatch['stopped'];
  const stop = (reason: TransferWatch['stopped']) => {
    stopped ??= reason;
    stopping.abort();
  };
  // What is open keeps the process alive, its timers need not.
  const begin = (ms: number, reason: TransferWatch['stopped']) =>
    setTimeout(() => stop(reason), ms).unref();
  let silence: NodeJS.Timeout | undefined = begin(stallMs, 'stalled');
  let whole: NodeJS.Timeout | undefined;
  const rest = () => {
    clearTimeout(silence);
    silence = undefined;
  };
  const end = () => {
    rest();
    clearTimeout(whole);
  };
  return {
    signal: stopping.signal,
    get stopped() {
      return stopped;
    },
    allow(ms) {
      clearTimeout(whole);
      whole = begin(ms, 'too slow');
    },
    expect() {
      clearTimeout(silence);
      silence = begin(stallMs, 'stalled');
    },
    rest,
    end,
    hangUp() {
      end();
      stopping.abort();
    },
  };
}

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
