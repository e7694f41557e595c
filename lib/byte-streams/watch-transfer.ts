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
