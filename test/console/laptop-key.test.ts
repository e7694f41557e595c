import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '#console/src/connection/session.ts';
import { followKey, forgetKey, laptopKey, readKey } from '#console/src/sign-in/laptop-key.ts';
import { signInOnLaptop } from '#console/src/sign-in/sign-in-on-laptop.ts';

const key = `${'k'.repeat(42)}-`;
const stored = new Map<string, string>();
const replaced: string[] = [];
let changeHash: (() => void) | undefined;

function open(hash: string): void {
  vi.stubGlobal('location', { pathname: '/console/jobs/', search: '?state=ended', hash });
}

beforeEach(() => {
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('history', {
    replaceState: (_: unknown, __: string, address: string) => replaced.push(address),
  });
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
    if (name === 'hashchange') changeHash = listener;
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  forgetKey();
  stored.clear();
  replaced.length = 0;
  session.value = undefined;
});

describe('the key of the laptop edition', () => {
  it('moves from the address into the browser, and the page stays', () => {
    open(`#key=${key}`);
    followKey(() => undefined);
    expect(laptopKey.value).toBe(key);
    expect(replaced).toEqual(['/console/jobs/?state=ended']);
    expect([...stored.values()]).toEqual([JSON.stringify(key)]);
  });

  it('is recalled by the next visit', () => {
    stored.set('slipway-laptop-key', JSON.stringify(key));
    open('');
    followKey(() => undefined);
    expect(laptopKey.value).toBe(key);
    expect(replaced).toEqual([]);
  });

  it('is taken when only the part after the # changes', () => {
    open('#files');
    const onKey = vi.fn();
    followKey(onKey);
    changeHash?.();
    expect(onKey).not.toHaveBeenCalled();
    open(`#key=${key}`);
    changeHash?.();
    expect(onKey).toHaveBeenCalledOnce();
    expect(laptopKey.value).toBe(key);
  });

  it('can be pasted alone or as the whole address', () => {
    expect(readKey(` ${key}\n`)).toBe(key);
    expect(readKey(`#key=${key}`)).toBe(key);
    expect(readKey(`http://localhost:3000/console/#key=${key}`)).toBe(key);
    for (const text of ['', 'key', `${key}k`, `#key=${key}&x`, 'a'.repeat(42), `${key} ${key}`]) {
      expect(readKey(text), text).toBeUndefined();
    }
  });

  it('is shown to the service, and forgotten if it is refused', async () => {
    open(`#key=${key}`);
    followKey(() => undefined);
    const ask = vi.fn<typeof fetch>();
    vi.stubGlobal('fetch', ask);
    ask.mockResolvedValueOnce(Response.json({ access_token: 'a.b.c', expires_in: 3600 }));
    await signInOnLaptop('', { user: '306328', administrator: false });
    expect(ask.mock.calls[0]?.[1]?.headers).toMatchObject({ 'slipway-key': key });
    expect(session.value?.user).toBe('306328');
    ask.mockResolvedValueOnce(Response.json({ message: 'no' }, { status: 401 }));
    await expect(signInOnLaptop('', { user: '1', administrator: false })).rejects.toThrow(
      'The service has another key than the one you used.',
    );
    expect(laptopKey.value).toBeUndefined();
    expect(stored.has('slipway-laptop-key')).toBe(false);
  });
});
