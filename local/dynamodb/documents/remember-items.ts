/** Some tens of megabytes at most: items of jobs have less than a kilobyte. */
const mostRemembered = 20_000;
const longestRemembered = 4_096;

type Item = Readonly<Record<string, unknown>>;

/**
 * Reads a text once that comes again and again: whoever follows jobs asks for the same list every
 * few seconds. The same text means the same item, so nothing has to be forgotten when it changes.
 * What is remembered is shared, and frozen.
 */
export function rememberItems(read: (text: string) => Item): (text: string) => Item {
  const remembered = new Map<string, Item>();
  return (text) => {
    const known = remembered.get(text);
    if (known) return known;
    const item = read(text);
    if (text.length > longestRemembered) return item;
    remembered.set(text, freeze(item));
    // A map keeps the order in which its keys came.
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > mostRemembered) remembered.delete(oldest);
    return item;
  };
}

/** Bytes cannot be frozen; nothing that the service stores has any. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
