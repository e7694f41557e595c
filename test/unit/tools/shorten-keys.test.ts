import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { shortenKeys } from '#tools/client/build-console.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-keys-'));
const words = join(folder, 'words.ts');
const catalogue = `export const room = {
  close: 'Close: now',
  'kept.here': {
    one: 'one',
    other: 'some',
  },
} as const;
`;
writeFileSync(words, catalogue);
afterAll(() => rmSync(folder, { recursive: true }));

const page = (text: string) => `import { phrase, rich } from './words.ts';\n${text}`;
const translate = (entries: string) =>
  `import type { room } from '../../words.ts';
export const room = translate<typeof room>()({
${entries}
});
`;
const shorten = (name: string, text: string) => shortenKeys(join(folder, name), text);

describe('keys of messages', () => {
  it('are places in the catalogue, whose plural forms are kept', () => {
    expect(shortenKeys(words, catalogue)).toBe(`export const room = [
   'Close: now',
   {
    one: 'one',
    other: 'some',
  },
] as const;
`);
  });

  it('are numbers where messages are used', () => {
    expect(shorten('page.tsx', page("phrase('close'); rich(\n  'kept.here', { count });"))).toBe(
      page('phrase(0); rich(1, { count });'),
    );
  });

  it.each(['german', 'polish'])('are places in a translation: %s', (language) => {
    const own = translate("  close: 'zu',\n  'kept.here':\n    'hier',");
    const text = shorten(`src/${language}/room.ts`, own);
    expect(text).toMatch(/\(\[\n\s+'zu',\s+'hier',\n\]\);\n$/);
  });

  it('stay as they are in a module without messages', () => {
    expect(shorten('page.tsx', "phrase('close')")).toBe("phrase('close')");
  });

  it.each([
    ['that the catalogue lacks', 'page.tsx', page("phrase('open')"), 'uses open'],
    ['that are computed', 'page.tsx', page("phrase(isOpen ? 'close' : 'open')"), 'not a literal'],
    [
      'that a translation lacks',
      'src/german/room.ts',
      translate("  close: 'zu',"),
      'order of the English: kept.here',
    ],
    [
      'in another order',
      'src/german/room.ts',
      translate("  'kept.here': 'hier',\n  close: 'zu',"),
      'order of the English: close',
    ],
    [
      'that only a translation has',
      'src/german/room.ts',
      translate("  close: 'zu',\n  'kept.here': 'hier',\n  open: 'auf',"),
      'order of the English: open',
    ],
  ])('stop the build: keys %s', (_, name, text, message) => {
    expect(() => shorten(name, text)).toThrow(message);
  });
});
