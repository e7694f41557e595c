import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { makeFiles, packBytes } from '#lib/reference/make-files.ts';
import { codings, packedName, referenceFiles } from '#lib/reference/reference-file.ts';

/** What reads the files of the reference from the disk, in a bundle. */
const reader = 'lib/stand-ins/reference-files.ts';

/** A bundle that serves the reference has its files beside it, packed as small as they get. */
export function putReferenceBeside(bundle: string, { inputs }: Metafile): void {
  if (!(reader in inputs)) return;
  const directory = join(dirname(bundle), 'reference');
  mkdirSync(directory, { recursive: true });
  for (const [name, bytes] of packedFiles()) writeFileSync(join(directory, name), bytes);
}

let packed: ReadonlyMap<string, Uint8Array> | undefined;

/** Packing takes seconds, and two functions serve them. */
function packedFiles(): ReadonlyMap<string, Uint8Array> {
  if (packed) return packed;
  const made = makeFiles();
  packed = new Map(
    referenceFiles.flatMap((file) =>
      codings.map((coding) => [packedName(file, coding), packBytes(made[file], coding, 'small')]),
    ),
  );
  return packed;
}
