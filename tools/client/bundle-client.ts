import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';

const client = join(import.meta.dirname, '../../client');

/**
 * Bundles the client and the command. Node 20.19 can still run them; the client runs in browsers
 * too.
 */
export async function bundleClient(outdir: string): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  const shared = {
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'error',
  } as const satisfies BuildOptions;
  await Promise.all([
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
