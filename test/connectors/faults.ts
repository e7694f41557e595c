/** A call that did not arrive, or whose answer did not. */
export class LostError extends Error {}

class KilledError extends Error {}

/**
 * Ends a process at one of its calls. A process that dies does so between two awaits, and all awaits
 * are calls, to the table, the storage or a system. So any of them can be its last one, before it
 * has its effect or after it.
 */
export class Death {
  readonly #at: number;
  readonly #takesEffect: boolean;
  #calls = 0;

  constructor(at: number, takesEffect: boolean) {
    this.#at = at;
    this.#takesEffect = takesEffect;
  }

  get hasCome(): boolean {
    return this.#calls >= this.#at;
  }

  async pass<T>(call: () => Promise<T>): Promise<T> {
    this.#calls += 1;
    if (this.#calls < this.#at) return call();
    if (this.#calls === this.#at && this.#takesEffect) await call();
    throw new KilledError('killed');
  }
}

/** Everything that goes wrong between the service and one system, on demand. */
export class Faults {
  /** The calls so far, each by its name. */
  readonly calls: string[] = [];
  /** The process that makes the calls, if it is about to die. */
  death: Death | undefined;
  #isCut = false;
  #losesAt = 0;

  /** From now on nothing arrives. */
  cut(): void {
    this.#isCut = true;
  }

  mend(): void {
    this.#isCut = false;
  }

  /** The call with this number, counted from now, has its effect, and its answer is lost. */
  loseAnswer(at = 1): void {
    this.#losesAt = this.calls.length + at;
  }

  async pass<T>(name: string, call: () => Promise<T>): Promise<T> {
    const number = this.calls.push(name);
    if (this.#isCut) throw new LostError('The call was lost.');
    const answer = await (this.death ? this.death.pass(call) : call());
    // A system that goes away during a call does not answer it.
    if (this.#isCut || number === this.#losesAt) throw new LostError('The answer was lost.');
    return answer;
  }
}
