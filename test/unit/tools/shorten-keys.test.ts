import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { shortenKeys } from '#tools/client/shorten-keys.ts';

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
const shorten = (name: string, text: string) => shortenKeys(join(folder, name), text);

describe('keys of messages', () => {
  it('are short in the catalogue, and their plural forms are kept', () => {
    expect(shortenKeys(words, catalogue)).toBe(`export const room = {
  a: 'Close: now',
  b: {
    one: 'one',
    other: 'some',
  },
} as const;
`);
  });

  it('are the same where messages are used', () => {
    expect(shorten('page.tsx', page("phrase('close'); rich(\n  'kept.here', { count });"))).toBe(
      page("phrase('a'); rich('b', { count });"),
    );
  });

  it('are the same in a translation, whatever its order', () => {
    const german =
      "import type { room } from '../words.ts';\n  'kept.here': 'hier',\n  close: 'zu',";
    expect(shorten('src/german/room.ts', german.replace('../', '../../'))).toMatch(
      / {2}b: 'hier',\n {2}a: 'zu',$/,
    );
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
      "import type { room } from '../../words.ts';\n  close: 'zu',",
      'lacks kept.here',
    ],
  ])('stop the build: keys %s', (_, name, text, message) => {
    expect(() => shorten(name, text)).toThrow(message);
  });
});
