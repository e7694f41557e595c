interface Failing {
  /** True to start no more items after a failure. Otherwise all items are processed. */
  readonly stopAtFailure?: boolean;
}

/**
 * Maps items with at most `width` in parallel, and returns the results in the order of the items.
 * Failures are thrown after everything that started has ended: the only one, the first one if it
 * stopped the rest, or all of them together.
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
