import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { currentLanguage, speakEnglish } from '#client/src/words/language.ts';
import { phrase } from '#console/src/browser/words.ts';
import { phrase as describeAmount } from '#console/src/quotas/words.ts';
import { speak } from '#console/src/speak.ts';

describe('the language of the console', () => {
  const stored = new Map<string, string>();
  const page = { documentElement: { lang: '' } };
  /** What the page is told to be in, which is what a message is then written in. */
  const languageFor = async (search: string, preferred: readonly string[] = []) => {
    await speak({ search }, preferred);
    expect(phrase('home')).toBe(currentLanguage().code === 'de' ? 'Start' : 'Home');
    return page.documentElement.lang;
  };

  beforeEach(() => {
    stored.clear();
    vi.stubGlobal('document', page);
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => stored.set(key, text),
    });
  });
  afterEach(() => {
    speakEnglish();
    vi.unstubAllGlobals();
  });

  it('groups the digits of exact amounts, which show on hover', async () => {
    const amounts = () => [
      describeAmount('seconds', { count: 36_000_000 }),
      describeAmount('kilobytes', { count: 10_000 }),
    ];
    expect(amounts()).toEqual(['36,000,000 seconds', '10,000 kilobytes']);
    await languageFor('?lang=de');
    expect(amounts()).toEqual(['36.000.000 Sekunden', '10.000 Kilobytes']);
  });

  it('is the one in the address, and stays chosen', async () => {
    expect(await languageFor('?title=x&lang=de', ['en-GB'])).toBe('de');
    expect(await languageFor('', ['en-GB'])).toBe('de');
    expect(await languageFor('?lang=en', ['de-DE'])).toBe('en');
    expect(await languageFor('', ['de-DE'])).toBe('en');
  });

  it('is what the browser prefers, if nobody chose one', async () => {
    expect(await languageFor('', ['fr-FR', 'de-AT', 'en-GB'])).toBe('de');
    expect(await languageFor('', ['en-GB', 'de'])).toBe('en');
    expect(await languageFor('', ['fr'])).toBe('en');
    expect(stored.size).toBe(0);
  });

  it('does not become one that does not exist', async () => {
    expect(await languageFor('?lang=fr', ['de'])).toBe('de');
    expect(await languageFor('?lang=constructor')).toBe('en');
    expect(stored.size).toBe(0);
  });

  it('is chosen without a storage', async () => {
    vi.stubGlobal('localStorage', undefined);
    expect(await languageFor('?lang=de')).toBe('de');
  });

  it('is English if the words do not load', async () => {
    const load = vi.fn(() => Promise.reject(new TypeError('The network is gone')));
    await speak({ search: '?lang=de' }, [], { de: load });
    expect(load).toHaveBeenCalledOnce();
    expect(page.documentElement.lang).toBe('en');
    expect(phrase('home')).toBe('Home');
  });
});
