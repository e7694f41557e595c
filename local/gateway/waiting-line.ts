/** The limits of a waiting line. */
export interface LineLimits {
  /** Requests that are worked on side by side: enough that their writes share commits. */
  readonly atOnce: number;
  /** A request that would have to wait for longer is refused when it comes. */
  readonly longestWaitMs: number;
  /** Bytes of the bodies that wait. */
  readonly mostBytes: number;
}

export const usualLimits: LineLimits = {
  atOnce: 32,
  longestWaitMs: 4_000,
  mostBytes: 256 * 1024 * 1024,
};

/** Before anything was measured: what a submission takes on a laptop. */
const firstGuessMs = 4;
/** How much the newest measurement counts. */
const weight = 0.05;

/** The line is too long for one more. */
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
 * One line before all functions: what cannot be worked on yet waits in order, and whoever would
 * wait too long hears at once when to come back, instead of after a timeout.
 */
export class WaitingLine {
  readonly #limits: LineLimits;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #bytes = 0;
  #msBetweenEnds = firstGuessMs;
  #lastEnd = 0;

  constructor(limits: LineLimits = usualLimits) {
    this.#limits = limits;
  }

  /** Does a task in its turn, or throws a LineFullError before it was begun. */
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
    const waitMs = (this.#waiting.length + 1) * this.#msBetweenEnds;
    if (waitMs > longestWaitMs || this.#bytes + bytes > mostBytes) throw new LineFullError(waitMs);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = setTimeout(() => {
      // The guess was wrong. Everybody before has waited longer, and left.
      const place = this.#waiting.findIndex((each) => each.giveUp === giveUp);
      const [left] = this.#waiting.splice(place, 1);
      this.#bytes -= left?.bytes ?? 0;
      reject(new LineFullError(longestWaitMs));
    }, longestWaitMs);
    this.#waiting.push({ bytes, begin: resolve, giveUp });
    this.#bytes += bytes;
    return promise;
  }

  /** Its place is taken over by the one that has waited longest. */
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

  /** Measured only while somebody waits: a quiet service says nothing of how fast it is. */
  #noteEnd(): void {
    const now = performance.now();
    if (this.#waiting.length > 0) {
      this.#msBetweenEnds += (now - this.#lastEnd - this.#msBetweenEnds) * weight;
    }
    this.#lastEnd = now;
  }
}
