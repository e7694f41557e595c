import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Replaces the keys of messages by numbers in the scripts of the console, where `'filter.savedAs'`
 * would be written twice for every text: in its catalogue and where it is shown. Catalogues become
 * arrays. A module takes its messages from the `words.ts` that it imports, or is one itself.
 */
export function shortenKeys(path: string, text: string): string {
  const catalogue = findCatalogue(path, text);
  if (catalogue === undefined) return text;
  const keys = readKeys(catalogue === path ? text : readFileSync(catalogue, 'utf8'));
  if (catalogue === path) return writeArray(text);
  if (isTranslation(path)) {
    expectSame(path, readKeys(text), keys);
    return writeArray(text);
  }
  const composed = /\b(phrase|rich)\((?!\s*').{0,40}/.exec(text);
  if (composed) throw new Error(`${path} has a key that is not a literal: ${composed[0]}`);
  return text.replace(/\b(phrase|rich)\(\s*'([^']+)'/g, (_, call, key) => {
    const at = keys.indexOf(key);
    if (at < 0) throw new Error(`${path} uses ${key}, which ${catalogue} lacks`);
    return `${call}(${at}`;
  });
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

function expectSame(path: string, own: readonly string[], all: readonly string[]): void {
  const other = all.find((key, at) => own[at] !== key) ?? own[all.length];
  if (other !== undefined) throw new Error(`${path} has not the order of the English: ${other}`);
}

/** Makes the object of a catalogue an array. */
function writeArray(text: string): string {
  return text
    .replace(/^(export const \w+ = (?:translate<[^>]*>\(\)\()?)\{$/m, '$1[')
    .replace(/^\}((?:\)| as const);)$/m, ']$1')
    .replace(entry, '  ');
}
