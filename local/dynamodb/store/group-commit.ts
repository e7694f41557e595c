import { ServiceError } from '../values/errors.ts';
import type { Database } from './database.ts';

/**
 * The most tasks of each kind in one commit. A commit blocks everything else for a few
 * milliseconds. The limit for lives keeps requests from waiting for a whole round of job checks.
 */
const mostTogether = { requests: 24, lives: 8 } as const;

/** The kind of a task. People wait for requests, but nobody waits for the check of a job. */
export type Caller = keyof typeof mostTogether;

interface Waiting {
  /**
   * Runs the task and returns a function that settles its promise. Throws if the database failed.
   */
  attempt(): () => void;
  fail(error: unknown): void;
}

/**
 * Runs tasks of the same turn of the event loop in one database transaction. Tasks of each caller
 * keep their order. Each task has a nested transaction: it sees earlier writes, and its refusal
 * rolls back only itself. No caller gets an answer before the commit.
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
      // The disk is full or a file is damaged, and the whole group was rolled back. Retry each task
      // alone, so that only those fail that cannot succeed.
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
