import { signal } from '@preact/signals';
import { forgetStored, readStored, store } from '../browser/stored.ts';

const place = 'slipway-laptop-key';

/** The key that the laptop edition asks for. Undefined until the person has shown it. */
export const laptopKey = signal<string | undefined>(undefined);

/** A printed address that lost a part of its key on the way here. */
export const brokenAddress = signal('');

/**
 * Takes the key out of the address that `npm start` printed, so that it stays out of the address
 * bar and of copied links, and recalls it in later visits. Calls `onKey` if the person opens a
 * printed address in this tab later, because then only the part after the # changes and the browser
 * loads nothing.
 */
export function followKey(onKey: () => void): void {
  const stored = readStored('browser', place);
  if (typeof stored === 'string') laptopKey.value = stored;
  takeKey();
  addEventListener('hashchange', () => {
    if (takeKey()) onKey();
  });
}

function takeKey(): boolean {
  const { href, pathname, search, hash } = location;
  if (!hash.startsWith('#key=')) return false;
  history.replaceState(null, '', `${pathname}${search}`);
  const key = readKey(hash);
  if (key === undefined) brokenAddress.value = href;
  else keepKey(key);
  return key !== undefined;
}

/** Finds the key in a printed address, or in its part after the #. Also accepts the key alone. */
export function readKey(text: string): string | undefined {
  return /^(?:.*#key=)?([\w-]{43})$/.exec(text.trim())?.[1];
}

/** Keeps the key for this browser, so that bookmarks and new tabs work. */
export function keepKey(key: string): void {
  laptopKey.value = key;
  store('browser', place, key);
}

export function forgetKey(): void {
  laptopKey.value = undefined;
  forgetStored('browser', place);
}
