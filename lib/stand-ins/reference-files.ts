import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Coding, packedName, type ReferenceFile } from '../reference/reference-file.ts';

/**
 * The bundler puts the files beside a bundle that holds this (infra/constructs/functions), so that a
 * cold start reads none of them.
 */
export function readReferenceFile(file: ReferenceFile, coding: Coding): Uint8Array {
  return readFileSync(join(__dirname, 'reference', packedName(file, coding)));
}
