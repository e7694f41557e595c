/**
 * Does the work for every item, at most `width` at a time, and gives the results in the order of
 * the items. One that fails keeps no other from its turn; when all are done, the failures are
 * thrown together.
 */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const remaining = items.entries();
  const takeTurns = async () => {
    for (const [index, item] of remaining) {
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, takeTurns));
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) {
    throw new AggregateError(failures, `${failures.length} of ${items.length} failed.`);
  }
  return results;
}
