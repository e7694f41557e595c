import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { listBundledPackages, putLicences } from '#infra/constructs/functions/third-party.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'console');

const options = {
  entryPoints: [join(source, 'src/start.tsx'), join(source, 'src/style/style.css')],
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
  logOverride: { 'ignored-bare-import': 'silent' },
} as const satisfies BuildOptions;

/**
 * Builds the console for browsers. The names of scripts and styles contain a hash of their content,
 * so browsers can cache them forever.
 */
export async function buildConsole(folder: string): Promise<Metafile> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const asSplit = await build({ ...options, outdir: folder, write: false });
  const { metafile } = await build({
    ...options,
    outdir: join(folder, 'assets'),
    plugins: [shareModules(asSplit.metafile)],
  });
  const page = await readFile(join(source, 'index.html'), 'utf8');
  const [first = '', ...needed] = listFirstParts(metafile);
  const filled = page
    .replace('%script%', addressOf(first))
    .replace('%style%', addressOf(findOutput(metafile, 'style.css')))
    .replace('%preload%', needed.map(preload).join('\n    '));
  await writeFile(join(folder, 'index.html'), filled);
  await cp(join(source, 'icon.svg'), join(folder, 'icon.svg'));
  putLicences(folder, listBundledPackages(metafile));
  return metafile;
}

/**
 * Keeps modules that several pages share in two parts: one for everybody, with all that is loaded
 * first, and one for the pages of administrators. By itself, esbuild makes a part for every set of pages that share a module: fifty
 * small files, which compress badly.
 */
function shareModules({ inputs, outputs }: Metafile): Plugin {
  const pages = listPages(inputs).map((path) => ({
    path,
    isAdmin: path.startsWith('console/src/admin/'),
    reached: reachFrom(inputs, path),
  }));
  const bundled = new Set(Object.values(outputs).flatMap((output) => Object.keys(output.inputs)));
  const shared = [...bundled]
    .filter((path) => pages.every((page) => page.path !== path))
    .map((path) => ({ path, users: pages.filter(({ reached }) => reached.has(path)) }))
    .filter(({ users }) => users.length > 1 || users.some(({ path }) => path === firstPage));
  return {
    name: 'share-modules',
    setup({ onLoad }) {
      onLoad({ filter: /console\/src\/.*\.tsx?$/ }, async ({ path }) => {
        const page = pages.find((each) => each.path === relative(root, path));
        const imports = shared
          .filter(({ users }) => page?.isAdmin || users.some(({ isAdmin }) => !isAdmin))
          .map((each) => `import ${JSON.stringify(join(root, each.path))};\n`);
        const text = shortenKeys(path, await readFile(path, 'utf8'));
        const contents = page ? `${text}\n${imports.join('')}` : text;
        return { contents, loader: extname(path) === '.ts' ? 'ts' : 'tsx' };
      });
    },
  };
}

const firstPage = 'console/src/start.tsx';

/** Lists the modules that a browser loads by themselves: the first one and each page for later. */
function listPages(inputs: Metafile['inputs']): string[] {
  const later = Object.values(inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind }) => kind === 'dynamic-import')
    .map(({ path }) => path);
  return [firstPage, ...new Set(later)];
}

/** Finds a module and all that it imports. */
function reachFrom(inputs: Metafile['inputs'], from: string): ReadonlySet<string> {
  const reached = new Set([from]);
  for (const path of reached) {
    for (const { kind, path: next } of inputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && inputs[next]) reached.add(next);
    }
  }
  return reached;
}

/** Lists the first script and all parts that it needs before it runs. */
function listFirstParts({ outputs }: Metafile): string[] {
  const parts = new Set([findOutput({ outputs }, 'start.tsx')]);
  for (const part of parts) {
    for (const { kind, path } of outputs[part]?.imports ?? []) {
      if (kind === 'import-statement') parts.add(path);
    }
  }
  return [...parts];
}

/** Loads a part at once, not only when the first script asks for it. */
function preload(part: string): string {
  return `<link rel="modulepreload" href="${addressOf(part)}" />`;
}

function addressOf(output: string): string {
  return `/console/assets/${basename(output)}`;
}

function findOutput({ outputs }: Pick<Metafile, 'outputs'>, entry: string): string {
  const found = Object.entries(outputs).find(
    ([, { entryPoint }]) => entryPoint !== undefined && basename(entryPoint) === entry,
  );
  if (!found) throw new Error(`esbuild wrote nothing for ${entry}`);
  return found[0];
}

/**
 * Limits the compressed bytes of the console's scripts and styles. A phone loads them once, and again
 * after every release: `first` before anything is shown, `researcher` in the course of time, each
 * other part when an administrator opens the page that needs it, and the words of one other language
 * than English.
 */
export const consoleBudget = {
  first: 80_000,
  researcher: 97_000,
  part: 12_000,
  language: 28_500,
  style: 12_000,
} as const;

/** Counts the compressed bytes that browsers load. */
export async function weighConsole(
  folder: string,
): Promise<Record<keyof typeof consoleBudget, number>> {
  const metafile = await buildConsole(folder);
  const { outputs } = metafile;
  const weigh = (path: string) => gzipSync(readFileSync(join(root, path)), { level: 9 }).length;
  const sum = (paths: readonly string[]) => paths.reduce((all, path) => all + weigh(path), 0);
  const paths = Object.keys(outputs);
  const scripts = paths.filter((path) => extname(path) === '.js');
  const first = listFirstParts(metafile);
  const isAdmin = (path: string) =>
    Object.keys(outputs[path]?.inputs ?? {}).some((input) =>
      input.startsWith('console/src/admin/'),
    );
  const isLanguage = (path: string) => /\/(\w+)\/\1\.ts$/.test(outputs[path]?.entryPoint ?? '');
  const pages = scripts.filter((path) => !first.includes(path) && !isLanguage(path));
  return {
    first: sum(first),
    researcher: sum(first) + sum(pages.filter((path) => !isAdmin(path))),
    part: Math.max(...pages.map(weigh)),
    language: Math.max(...scripts.filter(isLanguage).map(weigh)),
    style: sum(paths.filter((path) => extname(path) === '.css')),
  };
}

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
  if (/ = translate<typeof \w+>\(\)\(/.test(text)) {
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
