import { makeFiles, packBytes } from './make-files.ts';
import type { Coding, ReferenceFile } from './reference-file.ts';

let made: ReturnType<typeof makeFiles> | undefined;
const packed = new Map<string, Uint8Array>();

/**
 * A file of the reference, made when it is first asked for. A bundle has the files beside it, packed
 * already, and reads them in the place of this file (lib/stand-ins).
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
