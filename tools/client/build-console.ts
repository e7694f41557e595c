import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { listBundledPackages, putLicences } from '#infra/constructs/functions/third-party.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'console');

const below = '/console/assets/';

/**
 * Builds the console for browsers. The names of scripts and styles contain a hash of their content,
 * so browsers can cache them forever.
 */
export async function buildConsole(folder: string): Promise<Metafile> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: [join(source, 'src/start.tsx'), join(source, 'src/style/style.css')],
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    logLevel: 'warning',
  });
  const page = await readFile(join(source, 'index.html'), 'utf8');
  const filled = page
    .replace('%script%', `${below}${findOutput(metafile, 'start.tsx')}`)
    .replace('%style%', `${below}${findOutput(metafile, 'style.css')}`);
  await writeFile(join(folder, 'index.html'), filled);
  await cp(join(source, 'icon.svg'), join(folder, 'icon.svg'));
  putLicences(folder, listBundledPackages(metafile));
  return metafile;
}

function findOutput({ outputs }: Metafile, entry: string): string {
  const found = Object.entries(outputs).find(
    ([, { entryPoint }]) => entryPoint !== undefined && basename(entryPoint) === entry,
  );
  if (!found) throw new Error(`esbuild wrote nothing for ${entry}`);
  return basename(found[0]);
}

/**
 * Limits the bytes of one minified bundle, which is loaded at every cold start. The largest, with
 * the connectors of all kinds, has 392,000.
 */
export const bundleBudget = 400_000;

/**
 * Limits the compressed bytes of all scripts and styles of the console. A phone loads them once,
 * and again after every release. They are 36,000 and 4,000 today.
 */
export const consoleBudget = { script: 90_000, style: 12_000 } as const;

/** Counts the compressed bytes that a browser loads, including parts that only some pages load. */
export async function weighConsole(folder: string) {
  const { outputs } = await buildConsole(folder);
  const weigh = (extension: string) =>
    Object.keys(outputs)
      .filter((path) => extname(path) === extension)
      .reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0);
  return { script: weigh('.js'), style: weigh('.css') };
}
