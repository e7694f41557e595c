/** The limits of a waiting line. */
export interface LineLimits {
  /** Requests processed in parallel, enough for their writes to share commits. */
  readonly atOnce: number;
  /** Requests with a longer expected wait are refused on arrival. */
  readonly longestWaitMs: number;
  /** Limit for the bodies of all waiting requests together. */
  readonly mostBytes: number;
}

const usualLimits: LineLimits = {
  atOnce: 32,
  longestWaitMs: 4_000,
  mostBytes: 256 * 1024 * 1024,
};

/** Initial estimate: the time of a submission on a laptop. */
const firstGuessMs = 4;
/** Measurements that count. If the machine pauses, one of them is far too high. */
const measurements = 5;

export class LineFullError extends Error {
  readonly retryAfterSeconds: number;
  constructor(waitMs: number) {
    super('More requests wait than can be answered soon.');
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  }
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
  readonly giveUp: NodeJS.Timeout;
}

/**
 * Queues requests in front of all functions. A request that would wait too long is refused at once
 * with a time to retry, instead of after a timeout.
 */
export class WaitingLine {
  readonly #limits: LineLimits;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #bytes = 0;
  /** Milliseconds between two ends, the newest measurement last. */
  readonly #measured: number[] = Array.from({ length: measurements }, () => firstGuessMs);
  #lastEnd = 0;
  #ends = 0;
  #msForEnds = 0;

  constructor(limits: LineLimits = usualLimits) {
    this.#limits = limits;
  }

  /**
   * Runs a task in its turn. Throws a LineFullError without starting it if the wait is too long.
   */
  async run<T>(bytes: number, task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.atOnce) await this.#takeTurn(bytes);
    else this.#running += 1;
    try {
      return await task();
    } finally {
      this.#noteEnd();
      this.#beginNext();
    }
  }

  #takeTurn(bytes: number): Promise<void> {
    const { longestWaitMs, mostBytes } = this.#limits;
    const waitMs = (this.#waiting.length + 1) * median(this.#measured);
    if (waitMs > longestWaitMs || this.#bytes + bytes > mostBytes) throw new LineFullError(waitMs);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = setTimeout(() => {
      // The estimate was too low.
      const place = this.#waiting.findIndex((each) => each.giveUp === giveUp);
      const [left] = this.#waiting.splice(place, 1);
      this.#bytes -= left?.bytes ?? 0;
      reject(new LineFullError(longestWaitMs));
    }, longestWaitMs);
    this.#waiting.push({ bytes, begin: resolve, giveUp });
    this.#bytes += bytes;
    return promise;
  }

  /** Passes the free slot to the request that has waited longest. */
  #beginNext(): void {
    const next = this.#waiting.shift();
    if (!next) {
      this.#running -= 1;
      return;
    }
    clearTimeout(next.giveUp);
    this.#bytes -= next.bytes;
    next.begin();
  }

  /**
   * Measures only while requests wait, because idle time says nothing about speed. As many ends as
   * may share a commit count together, because they come at the same moment.
   */
  #noteEnd(): void {
    const now = performance.now();
    if (this.#waiting.length > 0) {
      this.#ends += 1;
      this.#msForEnds += now - this.#lastEnd;
    }
    this.#lastEnd = now;
    if (this.#ends < this.#limits.atOnce) return;
    this.#measured.shift();
    this.#measured.push(this.#msForEnds / this.#ends);
    this.#ends = 0;
    this.#msForEnds = 0;
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
