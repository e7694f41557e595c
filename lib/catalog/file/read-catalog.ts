import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Catalog } from '../catalog.ts';
import { InvalidCatalogError } from './invalid-catalog-error.ts';
import { parseCatalog } from './parse-catalog.ts';

/** The two systems of the interface, both simulated. */
export const shippedCatalog = join(import.meta.dirname, '../catalog.json');

/** The operator's catalog, or without one the catalog that ships. Paths begin where the command runs. */
export function readCatalog(path: string = shippedCatalog): Catalog {
  const name = nameOf(path);
  return parseCatalog(readText(path, name), name);
}

function readText(path: string, name: string): string {
  try {
    // Some editors begin a file with a mark that is no JSON.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    const reason = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new InvalidCatalogError([`${name}: ${reason} (looked for ${resolve(path)})`]);
  }
}

/** Short where it is below the folder in which the command runs. */
function nameOf(path: string): string {
  const below = relative('', resolve(path));
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below;
}
