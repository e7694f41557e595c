/** Where something is kept: until the tab is closed, or for good. Either may be forbidden by a browser. */
const areas = { tab: () => sessionStorage, browser: () => localStorage } as const;

type Area = keyof typeof areas;

/**
 * Returns undefined for whatever cannot be read: storage that a browser forbids, text that an
 * extension, an earlier version or a person has changed. No page may break because of it, so callers
 * check the shape of the rest as well.
 */
export function readStored(area: Area, key: string): unknown {
  try {
    const text = areas[area]().getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a value, or does nothing where storage is full or forbidden: the page works without it. */
export function store(area: Area, key: string, value: unknown): void {
  try {
    areas[area]().setItem(key, JSON.stringify(value));
  } catch {
    // Whatever is missing next time is asked for again.
  }
}

export function forgetStored(area: Area, key: string): void {
  try {
    areas[area]().removeItem(key);
  } catch {
    // Forbidden storage has nothing to forget.
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
