import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BuildOptions, Metafile } from 'esbuild';
import { bareRouteNames, routes } from '#functions/routes.ts';
import { makeFiles, packBytes } from '#lib/reference/make-files.ts';
import { codings, packedName, referenceFiles } from '#lib/reference/reference-file.ts';
import { runningVersion } from '#lib/telemetry/running-version.ts';
import { type BundledParts, copyTraits, standInsFor } from './stand-ins.ts';

/**
 * How a function becomes one file, as esbuild takes it: the stacks and the bundle report build by
 * this. CommonJS, because an ES module costs a cold start 30 ms (docs/decisions/0004).
 */
export function bundleOptions(parts: BundledParts) {
  return {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    // Node would read the map of a bundle at every cold start; map-stacks.ts does when there is a
    // stack to show, and looks for it beside the bundle.
    sourcemap: 'external',
    sourcesContent: false,
    alias: standInsFor(parts),
    // For chosen-systems.ts, kind-traits.ts and running-version.ts of lib/stand-ins. Text only: for
    // an object esbuild adds four bytes to every module of a bundle.
    define: {
      BUILT_IN_SYSTEMS: writeJsonText(parts.catalog.systems),
      BUILT_IN_KINDS: writeJsonText(copyTraits(parts.catalog)),
      BUILT_IN_VERSION: JSON.stringify(describeVersion()),
    },
  } as const satisfies BuildOptions;
}

/** Writes a value as JSON, and that as a literal for the bundle. */
function writeJsonText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value));
}

/**
 * The version as a bundle tells it: `0.1.0+771cafa`, with `-dirty` behind it where the checkout was
 * changed since that commit. Where there is no checkout, or no git, it is the version alone.
 */
export function describeVersion(readCommit = readCommitByGit): string {
  const commit = readCommit();
  return commit === undefined ? runningVersion : `${runningVersion}+${commit}`;
}

let known: { readonly commit: string | undefined } | undefined;

/** Asks once, because all bundles of a deployment are of one commit. */
function readCommitByGit(): string | undefined {
  known ??= { commit: askGit() };
  return known.commit;
}

function askGit(): string | undefined {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

const directory = join(import.meta.dirname, '../../../functions');

/**
 * Where a function begins, as esbuild takes it: with what must be there before a first error, then
 * its file, or for `$default` a source made here.
 */
export function functionEntry(file: string) {
  const contents = `import '#lib/telemetry/map-stacks.ts';\n${writeBeginning(file)}`;
  return { stdin: { contents, resolveDir: directory, loader: 'ts' } } as const;
}

function writeBeginning(file: string): string {
  if (file === 'fallback') return writeFallback();
  const entry = join(directory, `${file}.ts`);
  if (!existsSync(entry)) throw new Error(`There is no function in ${entry}.`);
  return `export { handler } from './${file}.ts';`;
}

/** Writes `$default` with the handlers of bare routes only, because imports decide what is bundled. */
function writeFallback(): string {
  const imports = bareRouteNames.map(
    (name, index) => `import { handler as handler${index} } from './${routes[name].file}.ts';`,
  );
  const entries = bareRouteNames.map((name, index) => `'${name}': handler${index}`);
  return [
    `import { fallbackHandler } from './fallback.ts';`,
    ...imports,
    `export const handler = fallbackHandler({ ${entries.join(', ')} });`,
  ].join('\n');
}

/** The module that reads the files of the reference from disk. */
const reader = 'lib/stand-ins/reference-files.ts';

/** Writes the compressed reference next to a bundle that serves it. */
export function putReferenceBeside(bundle: string, { inputs }: Metafile): void {
  if (!(reader in inputs)) return;
  const directory = join(dirname(bundle), 'reference');
  mkdirSync(directory, { recursive: true });
  for (const [name, bytes] of packedFiles()) writeFileSync(join(directory, name), bytes);
}

let packed: ReadonlyMap<string, Uint8Array> | undefined;

/** Packs once, because packing takes seconds and two functions serve the files. */
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
