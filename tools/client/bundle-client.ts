import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import {
  type BundledPackage,
  listBundledPackages,
  putLicences,
  writeLicences,
} from '#infra/constructs/functions/third-party.ts';

const root = join(import.meta.dirname, '../..');
const client = join(root, 'client');

/**
 * Bundles the client and the command, and returns the packages in them. Node 20.19 can still run
 * them; the client runs in browsers too.
 */
export async function bundleClient(outdir: string): Promise<BundledPackage[]> {
  rmSync(outdir, { recursive: true, force: true });
  const shared = {
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    absWorkingDir: root,
    metafile: true,
    logLevel: 'error',
  } as const satisfies BuildOptions;
  const built = await Promise.all([
    build({
      ...shared,
      entryPoints: {
        index: join(client, 'src/index.ts'),
        node: join(client, 'src/node/index.ts'),
      },
      chunkNames: 'shared/[name]-[hash]',
    }),
    build({
      ...shared,
      entryPoints: { slipway: join(client, 'src/cli/slipway.ts') },
      // Code that only some commands need is in chunks that only they load.
      chunkNames: 'command/[name]-[hash]',
      minify: true,
      keepNames: true,
      // The argument parser is CommonJS and loads Node's modules with `require`.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    }),
  ]);
  const packages = listBundledPackages(...built.map(({ metafile }) => metafile));
  putLicences(outdir, packages);
  copyFileSync(join(root, 'LICENSE'), join(outdir, 'LICENSE'));
  return packages;
}

/**
 * Bundles the command into one executable file, which needs nothing but Node. It is CommonJS, where
 * the modules of Node are loaded when they are needed. As an ES module it would load all of them
 * first, even for `--version`. Returns the packages in it.
 */
export async function bundleCommand(outfile: string): Promise<BundledPackage[]> {
  const { metafile } = await build({
    entryPoints: [join(client, 'src/cli/slipway.ts')],
    outfile,
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    logLevel: 'error',
    define: { 'import.meta.dirname': '__dirname' },
    // In a folder whose package.json says "type": "module", Node takes the file for an ES module.
    banner: {
      js: `#!/usr/bin/env node
var require = require ?? process.getBuiltinModule('node:module').createRequire(process.argv[1]);
var __dirname = __dirname ?? require('node:path').dirname(process.argv[1]);`,
    },
  });
  // A single file has no place beside it for the licences of what it contains.
  const packages = listBundledPackages(metafile);
  const licences = writeLicences(packages).replaceAll('*/', '* /');
  appendFileSync(outfile, `/*\n${licences}*/\n`);
  chmodSync(outfile, 0o755);
  return packages;
}

/**
 * Writes the declarations of both entry points without checking types, because `npm ci` runs this
 * and should stay quick. `npm run types` checks them.
 */
export async function emitTypes(outdir: string): Promise<void> {
  const compiler = dirname(fileURLToPath(import.meta.resolve('typescript/package.json')));
  const config = join(client, 'tsconfig.build.json');
  await promisify(execFile)(process.execPath, [
    join(compiler, 'bin/tsc'),
    ...['--project', config, '--outDir', outdir],
  ]);
}
