import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { bareRouteNames, routes } from '#functions/routes.ts';
import { makeFiles, packBytes } from '#lib/reference/make-files.ts';
import { codings, packedName, referenceFiles } from '#lib/reference/reference-file.ts';
import { runningVersion } from '#lib/telemetry/running-version.ts';
import { type BundledParts, copyTraits, standInsFor } from './stand-ins.ts';
import {
  type BundledPackage,
  listBundledPackages,
  putLicences,
  readPackage,
} from './third-party.ts';

/**
 * Options of esbuild for all functions, also used by the bundle report. CommonJS, because ES
 * modules add 30 ms to a cold start (docs/decisions/0004).
 */
export function bundleOptions(parts: BundledParts) {
  return {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    // Node would read a linked source map at every cold start. map-stacks.ts reads the map next to
    // the bundle only when there is a stack trace to show.
    sourcemap: 'external',
    sourcesContent: false,
    alias: standInsFor(parts),
    // Native parts of ssh2, which does without them where they are missing.
    external: ['cpu-features', '*/sshcrypto.node'],
    // Used by chosen-systems.ts, kind-traits.ts and running-version.ts of lib/stand-ins. Only
    // strings, because for an object esbuild adds four bytes to every module of a bundle.
    define: {
      BUILT_IN_SYSTEMS: writeJsonText(parts.catalog.systems),
      BUILT_IN_KINDS: writeJsonText(copyTraits(parts.catalog)),
      BUILT_IN_VERSION: JSON.stringify(describeVersion()),
    },
  } as const satisfies BuildOptions;
}

/** Serializes a value twice, so that the bundle contains its JSON as a string literal. */
function writeJsonText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value));
}

/**
 * Describes the version of a bundle, such as `0.2.0+771cafa`, with `-dirty` if the checkout has
 * uncommitted changes. Without a checkout or git, returns only the version.
 */
export function describeVersion(readCommit = readCommitByGit): string {
  const commit = readCommit();
  return commit === undefined ? runningVersion : `${runningVersion}+${commit}`;
}

let known: { readonly commit: string | undefined } | undefined;

/** Caches the result, because all bundles of a deployment have the same commit. */
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

export const root = join(import.meta.dirname, '../../..');
const directory = join(root, 'functions');

/**
 * Creates the entry point of a function. Source maps come first, so that the first error is already
 * mapped.
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

/**
 * Generates the source of `$default`. Imports only handlers of bare routes, to keep the bundle
 * small.
 */
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

/**
 * The reader of zips, which is a file of its own: functions load it with their first zip, and a cold
 * start without one does not parse its 24 KB.
 */
const zipReader = 'yauzl';

/** Options of esbuild that write the bundle of one function. */
export function functionBuild(file: string, outfile: string, parts: BundledParts) {
  const options = bundleOptions(parts);
  return {
    ...options,
    ...functionEntry(file),
    external: [...options.external, zipReader],
    outfile,
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}

/** The module that reads the files of the reference from disk. */
const reader = 'lib/stand-ins/reference-files.ts';

/**
 * Writes the compressed reference next to a bundle that serves it, the reader of zips next to one
 * that loads it, and the licences of all packages in that folder, which it returns.
 */
export function putFilesBeside(bundle: string, metafile: Metafile): BundledPackage[] {
  const packages = listBundledPackages(metafile, ...putZipReader(bundle, metafile));
  if (reader in metafile.inputs) {
    const directory = join(dirname(bundle), 'reference');
    mkdirSync(directory, { recursive: true });
    for (const [name, bytes] of packedFiles()) writeFileSync(join(directory, name), bytes);
    packages.push(readPackage('node_modules/swagger-ui-dist'));
  }
  putLicences(dirname(bundle), packages);
  return packages;
}

function putZipReader(bundle: string, { outputs }: Metafile): Metafile[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  if (!imports.some(({ path }) => path === zipReader)) return [];
  const { metafile } = buildSync({
    entryPoints: [zipReader],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    minify: true,
    outfile: join(dirname(bundle), 'node_modules', zipReader, 'index.js'),
    metafile: true,
    absWorkingDir: root,
  });
  return [metafile];
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
