import { ServiceError } from '../refusals/service-error.ts';
import type { Database } from './database.ts';

/** So many tasks hold up everybody else for a few milliseconds. */
const mostTogether = 64;

interface Waiting {
  /** Does the task and returns how to answer whoever waits for it. Throws where the database failed. */
  attempt(): () => void;
  fail(error: unknown): void;
}

/**
 * Runs tasks that arrive in the same turn of the event loop in one transaction of the database, in
 * their order. Each still has a transaction of its own inside: it sees what those before it wrote,
 * and its refusal takes back nothing but itself. Nobody is answered before the commit.
 */
export class GroupCommit {
  readonly #database: Database;
  readonly #waiting: Waiting[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  run<T>(task: () => T): Promise<T> {
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
    this.#waiting.push({ attempt, fail: reject });
    if (this.#waiting.length === 1) setImmediate(() => this.#runNext());
    return promise;
  }

  #runNext(): void {
    const group = this.#waiting.splice(0, mostTogether);
    if (this.#waiting.length > 0) setImmediate(() => this.#runNext());
    for (const settle of this.#runTogether(group)) settle();
  }

  #runTogether(group: readonly Waiting[]): (() => void)[] {
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
