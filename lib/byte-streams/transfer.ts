import { type ByteStream, streamPieces } from './byte-stream.ts';

export interface TransferWatch {
  readonly signal: AbortSignal;
  /** Why the transfer was stopped, if it was. */
  readonly stopped: 'stalled' | 'too slow' | undefined;
  /** Limits the whole transfer to this many milliseconds from now. */
  allow(ms: number): void;
  /** Starts the stall timer, because it is the peer's turn. */
  expect(): void;
  /** Pauses the stall timer while the peer is not the one we wait for. */
  rest(): void;
  /** Ends the watch after a successful transfer. */
  end(): void;
  /** Aborts the transfer, because nobody wants the rest. */
  hangUp(): void;
}

/**
 * Stops a transfer whose peer is silent, or that takes far too long. There is no fixed limit: a
 * transfer may take what its bytes take, as long as they move.
 */
export function watchTransfer(stallMs: number): TransferWatch {
  const stopping = new AbortController();
  let stopped: TransferWatch['stopped'];
  const stop = (reason: TransferWatch['stopped']) => {
    stopped ??= reason;
    stopping.abort();
  };
  // The open connection keeps the process alive, so its timers need not.
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
  /** Fetches each piece after the receiver has taken the one before. */
  readonly stream: ReadableStream<Uint8Array>;
  /** What went wrong on our side. The sender would only see a connection error. */
  readonly failure: unknown;
  /** True once the receiver has taken everything. */
  isDone(): boolean;
  /** Does nothing if it is done. */
  cancel(): void;
}

/** Streams bytes to a watched receiver, exactly as many as announced. */
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
        // Processing the whole body takes the receiver a while, too. The overall limit covers that.
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
 * Streams what a watched sender sends, piece by piece on demand. `explain` turns an early end into
 * an error that says who is at fault.
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
  // Nobody has asked for a piece yet.
  watch.rest();
  return streamPieces(receive(), () => watch.hangUp());
}
