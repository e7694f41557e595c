import { ServiceError } from '../values/errors.ts';
import type { Database } from './database.ts';

/**
 * How many tasks a commit takes of each kind: all of them hold up everybody else for a few
 * milliseconds. What waits behind is bounded, so that requests do not wait for a whole sweep.
 */
const mostTogether = { requests: 24, lives: 8 } as const;

/** The priority of a task: a person waits for requests, and nobody for the check of a job. */
export type Caller = keyof typeof mostTogether;

interface Waiting {
  /** Does the task and returns how to answer whoever waits for it. Throws where the database failed. */
  attempt(): () => void;
  fail(error: unknown): void;
}

/**
 * Runs tasks that arrive in the same turn of the event loop in one transaction of the database, those
 * of each caller in their order. Each still has a transaction of its own inside: it sees what those
 * before it wrote, and its refusal takes back nothing but itself. Nobody is answered before the commit.
 */
export class GroupCommit {
  readonly #database: Database;
  readonly #waiting: Readonly<Record<Caller, Waiting[]>> = { requests: [], lives: [] };
  #isPlanned = false;

  constructor(database: Database) {
    this.#database = database;
  }

  run<T>(task: () => T, caller: Caller = 'requests'): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const attempt = (): (() => void) => {
      try {
        const result = task();
        return () => resolve(result);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return () => reject(error);
      }
    };
    this.#waiting[caller].push({ attempt, fail: reject });
    this.#planNext();
    return promise;
  }

  #planNext(): void {
    const { requests, lives } = this.#waiting;
    if (this.#isPlanned || requests.length + lives.length === 0) return;
    this.#isPlanned = true;
    setImmediate(() => this.#runNext());
  }

  #runNext(): void {
    const { requests, lives } = this.#waiting;
    const group = [
      ...requests.splice(0, mostTogether.requests),
      ...lives.splice(0, mostTogether.lives),
    ];
    this.#isPlanned = false;
    this.#planNext();
    for (const settle of this.#runTogether(group)) settle();
  }

  #runTogether(group: readonly Waiting[]): (() => void)[] {
    // A single task needs no nested transaction.
    if (group.length === 1) return group.map(runAlone);
    try {
      return this.#database.transactTogether(() => group.map(({ attempt }) => attempt()));
    } catch {
      // A full disk or a damaged file, and nothing of the group was kept. Each is alone in its second
      // try, so that only those fail that cannot be done.
      return group.map(runAlone);
    }
  }
}

function runAlone({ attempt, fail }: Waiting): () => void {
  try {
    return attempt();
  } catch (error) {
    return () => fail(error);
  }
}
