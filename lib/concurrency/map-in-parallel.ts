interface Failing {
  /** Whether none begins after a failure; otherwise the others have their turn all the same. */
  readonly stopAtFailure?: boolean;
}

/**
 * Does the work for every item, at most `width` at a time, and gives the results in the order of
 * the items. Where some fail it throws when all that began are done: the one failure, the first of
 * those that it stopped at, or all of them together.
 */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
  { stopAtFailure = false }: Failing = {},
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const remaining = items.entries();
  const isStopped = () => stopAtFailure && failures.length > 0;
  const takeTurns = async () => {
    for (const [index, item] of remaining) {
      if (isStopped()) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, takeTurns));
  if (failures.length === 0) return results;
  if (failures.length === 1 || stopAtFailure) throw failures[0];
  throw new AggregateError(failures, `${failures.length} of ${items.length} failed.`);
}
