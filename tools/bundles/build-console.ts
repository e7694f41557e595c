import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Metafile } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'console');

const below = '/console/assets/';

/**
 * The console as browsers load it: a page that names its script and style by what is in them, so
 * that whatever it names can be kept for ever.
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
  return metafile;
}

function findOutput({ outputs }: Metafile, entry: string): string {
  const found = Object.entries(outputs).find(
    ([, { entryPoint }]) => entryPoint !== undefined && basename(entryPoint) === entry,
  );
  if (!found) throw new Error(`esbuild wrote nothing for ${entry}`);
  return basename(found[0]);
}
