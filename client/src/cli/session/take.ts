/** So many of a list, without asking for more pages than they need. */
export async function take<Item>(list: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const taken: Item[] = [];
  if (most <= 0) return taken;
  for await (const item of list) {
    taken.push(item);
    if (taken.length >= most) break;
  }
  return taken;
}
