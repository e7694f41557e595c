import { makeFiles, packBytes } from './make-files.ts';
import type { Coding, ReferenceFile } from './reference-file.ts';

let made: ReturnType<typeof makeFiles> | undefined;
const packed = new Map<string, Uint8Array>();

/**
 * Reads a file of the reference, which is built at the first request. In a bundle a stand-in
 * replaces this module and reads the packed files next to it (lib/stand-ins).
 */
export function readReferenceFile(file: ReferenceFile, coding: Coding): Uint8Array {
  const key = `${file} ${coding}`;
  const known = packed.get(key);
  if (known) return known;
  made ??= makeFiles();
  const bytes = packBytes(made[file], coding, 'soon');
  packed.set(key, bytes);
  return bytes;
}
