import type { DirectStore } from '#lib/files/storage/direct-store.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import type { BusEvent } from '#local/stream/put-events.ts';
import type { Clock } from './clock.ts';

/** A call of the table, as the engine sees it. */
export interface TableCall {
  readonly name: string;
  readonly request: Readonly<Record<string, unknown>>;
}

type Answer = Record<string, unknown>;

/** Something that goes wrong for a while. Each part stands between Slipway and one of its parties. */
export interface Fault {
  readonly name: string;
  table?(
    call: TableCall,
    send: (request: TableCall['request']) => Promise<Answer>,
  ): Promise<Answer>;
  storage?(store: DirectStore): DirectStore;
  /** Stands before the bus. It throws, or changes the answer. */
  bus?(send: () => Promise<Answer>): Promise<Answer>;
  /** Chooses which of the waiting events arrive now, in which order and how often. */
  deliver?(events: readonly BusEvent[]): { now: readonly BusEvent[]; later: readonly BusEvent[] };
  secrets?(): void;
  system?(connector: Connector): Connector;
  /** Returns true if the process that makes a call dies before it, and makes no other. */
  kill?(): boolean;
  begin?(clock: Clock): void;
  end?(clock: Clock): void;
  /** Seconds for which a lease or a pause may outlast the fault. Two rounds follow it. */
  readonly leavesSeconds?: number;
  /** True if it is never switched off, because everything must go on beside it. */
  readonly lasts?: true;
  /** True if charges may differ from what the simulator counts. They never exceed the hold. */
  readonly liesAboutTime?: true;
}

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
