/** Keeps values until the tab is closed, or for good. A browser may forbid either. */
const areas = { tab: () => sessionStorage, browser: () => localStorage } as const;

type Area = keyof typeof areas;

/**
 * Returns undefined if the value cannot be read: the browser forbids storage, or an extension, an
 * earlier version or a person changed the text. Callers check the shape, because no page may break.
 */
export function readStored(area: Area, key: string): unknown {
  try {
    const text = areas[area]().getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a value. Does nothing if storage is full or forbidden, because the page works without it. */
export function store(area: Area, key: string, value: unknown): void {
  try {
    areas[area]().setItem(key, JSON.stringify(value));
  } catch {
    // The user enters it again next time.
  }
}

export function forgetStored(area: Area, key: string): void {
  try {
    areas[area]().removeItem(key);
  } catch {
    // Forbidden storage holds nothing.
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
