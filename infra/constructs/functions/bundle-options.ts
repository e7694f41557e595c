import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { bareRouteNames, routes } from '#functions/routes.ts';
import { makeFiles, packBytes } from '#lib/reference/make-files.ts';
import { codings, packedName, referenceFiles } from '#lib/reference/reference-file.ts';
import { runningVersion } from '#lib/telemetry/running-version.ts';
import { type BundledParts, copyTraits, standInsFor } from './stand-ins.ts';
import { type BundledPackage, listBundledPackages, putLicences } from './third-party.ts';

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
  if (file === 'bare') return writeBare();
  const entry = join(directory, `${file}.ts`);
  if (!existsSync(entry)) throw new Error(`There is no function in ${entry}.`);
  return `export { handler } from './${file}.ts';`;
}

/** The handlers that `$default` loads, in a file beside its own. */
const bareFile = './bare.js';

/**
 * Generates the source of `$default`. Most of its calls are refused, so it loads the handlers of bare
 * routes, which are most of its weight, only for a call that one of them serves.
 */
function writeFallback(): string {
  return [
    `import { fallbackHandler } from './fallback.ts';`,
    `const names = ${JSON.stringify(bareRouteNames)};`,
    `export const handler = fallbackHandler(names, () => import('${bareFile}'));`,
  ].join('\n');
}

function writeBare(): string {
  const imports = bareRouteNames.map(
    (name, index) => `import { handler as handler${index} } from './${routes[name].file}.ts';`,
  );
  const entries = bareRouteNames.map((name, index) => `'${name}': handler${index}`);
  return [...imports, `export const handlers = { ${entries.join(', ')} };`].join('\n');
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
    external: [...options.external, zipReader, bareFile],
    outfile,
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}

/** The module that reads the files of the reference from disk. */
const reader = 'lib/stand-ins/reference-files.ts';

/**
 * Writes next to a bundle what it loads later: the handlers of bare routes, the reader of zips, and
 * the compressed reference. Writes the licences of all packages in that folder, and returns these.
 */
export function putFilesBeside(
  bundle: string,
  metafile: Metafile,
  parts: BundledParts,
): BundledPackage[] {
  const own = [metafile];
  if (loads(own, bareFile)) {
    const outfile = join(dirname(bundle), bareFile);
    own.push(buildSync(functionBuild('bare', outfile, parts)).metafile);
  }
  const packages = listBundledPackages(...own, ...putZipReader(bundle, own));
  if (own.some(({ inputs }) => reader in inputs)) {
    const directory = join(dirname(bundle), 'reference');
    mkdirSync(directory, { recursive: true });
    for (const [name, bytes] of packedFiles()) writeFileSync(join(directory, name), bytes);
  }
  putLicences(dirname(bundle), packages);
  return packages;
}

function loads(metafiles: readonly Metafile[], file: string): boolean {
  return metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .some(({ imports }) => imports.some(({ path }) => path === file));
}

function putZipReader(bundle: string, metafiles: readonly Metafile[]): Metafile[] {
  if (!loads(metafiles, zipReader)) return [];
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
export function packedFiles(): ReadonlyMap<string, Uint8Array> {
  if (packed) return packed;
  const made = makeFiles();
  packed = new Map(
    referenceFiles.flatMap((file) =>
      codings.map((coding) => [packedName(file, coding), packBytes(made[file], coding, 'small')]),
    ),
  );
  return packed;
}
