import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Shortens the keys of messages in the scripts of the console, where `'filter.savedAs'` would be
 * written twice for every text: in its catalogue and where it is shown. A module takes its messages
 * from the `words.ts` that it imports, or is one itself.
 */
export function shortenKeys(path: string, text: string): string {
  const catalogue = findCatalogue(path, text);
  if (catalogue === undefined) return text;
  const keys = readKeys(catalogue === path ? text : readFileSync(catalogue, 'utf8'));
  const short = new Map(keys.map((key, at) => [key, writeShort(at)]));
  const shorten = (key: string): string => {
    const found = short.get(key);
    if (found === undefined) throw new Error(`${path} uses ${key}, which ${catalogue} lacks`);
    return found;
  };
  if (isTranslation(path)) expectAll(path, readKeys(text), keys);
  if (catalogue === path || isTranslation(path)) {
    return text.replace(entry, (_, quoted, plain) => `  ${shorten(quoted ?? plain)}:`);
  }
  const composed = /\b(phrase|rich)\((?!\s*').{0,40}/.exec(text);
  if (composed) throw new Error(`${path} has a key that is not a literal: ${composed[0]}`);
  return text.replace(
    /\b(phrase|rich)\(\s*'([^']+)'/g,
    (_, call, key) => `${call}('${shorten(key)}'`,
  );
}

/** A message of a catalogue. Its plural forms stand further to the right. */
const entry = /^ {2}(?:'([^']+)'|(\w+)):/gm;

function readKeys(catalogue: string): string[] {
  return [...catalogue.matchAll(entry)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

function findCatalogue(path: string, text: string): string | undefined {
  if (path.endsWith('/words.ts')) return path;
  const found = [...text.matchAll(/from '(\.[^']*\/words\.ts)'/g)].map(([, name = '']) => name);
  if (found.length > 1) throw new Error(`${path} takes messages from ${found.join(' and ')}`);
  return found[0] === undefined ? undefined : join(dirname(path), found[0]);
}

function isTranslation(path: string): boolean {
  return path.includes('/src/german/');
}

function expectAll(path: string, own: readonly string[], all: readonly string[]): void {
  const missing = all.filter((key) => !own.includes(key));
  if (missing.length > 0) throw new Error(`${path} lacks ${missing.join(', ')}`);
}

/** Returns a, b, …, z, aa, ab, … */
function writeShort(at: number): string {
  const last = String.fromCharCode(97 + (at % 26));
  return at < 26 ? last : writeShort(Math.floor(at / 26) - 1) + last;
}
