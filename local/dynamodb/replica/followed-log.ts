import type { LogFollower } from '../seal/kept-seal.ts';
import type { Reached } from './replica-folder.ts';

/** A piece of a segment. A segment is the copy of one log, from its header on. */
export interface Piece {
  readonly segment: number;
  /** The length of the segment before this one. */
  readonly before: number;
  readonly position: number;
  readonly bytes: Buffer;
}

/**
 * Numbers the logs of a database, and takes what is committed to them in pieces. Reading is
 * synchronous, so that no commit begins a new log meanwhile; the system has the bytes in its cache.
 */
export class FollowedLog implements LogFollower {
  readonly #read: (position: number, length: number) => Buffer;
  readonly #onCommit: () => void;
  readonly #kept: Piece[] = [];
  #segment = 1;
  #before = 0;
  #salts: string | undefined;
  #taken = 0;
  #length = 0;

  constructor(read: (position: number, length: number) => Buffer, onCommit: () => void) {
    this.#read = read;
    this.#onCommit = onCommit;
  }

  noteLength(salts: string, length: number): void {
    if (this.#salts !== undefined && this.#salts !== salts) {
      this.#segment += 1;
      this.#before = this.#taken;
      this.#taken = 0;
    }
    this.#salts = salts;
    this.#length = length;
    this.#onCommit();
  }

  /** Takes what is committed and not taken yet into memory. */
  keepRest(): void {
    if (this.#taken >= this.#length) return;
    const bytes = this.#read(this.#taken, this.#length - this.#taken);
    const place = { segment: this.#segment, before: this.#before, position: this.#taken };
    this.#kept.push({ ...place, bytes });
    this.#taken = this.#length;
  }

  /** The first piece that is not copied yet. */
  get next(): Piece | undefined {
    return this.#kept[0];
  }

  dropNext(): void {
    this.#kept.shift();
  }

  /** Whether something was committed that is not copied. */
  get isAhead(): boolean {
    return this.#taken < this.#length || this.#kept.length > 0;
  }

  get keptBytes(): number {
    return this.#kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  get reached(): Reached {
    return { segment: this.#segment, bytes: this.#taken };
  }

  /** Begins again with the first byte of the log that is in use, as segment 1. */
  startAgain(): void {
    this.#kept.length = 0;
    this.#segment = 1;
    this.#before = 0;
    this.#taken = 0;
  }
}
