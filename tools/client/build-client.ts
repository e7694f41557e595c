import { join } from 'node:path';
import { build } from 'esbuild';
import { runTool } from '../run-tool.ts';

const client = join(import.meta.dirname, '../../client');

/** `npm run prepare`, which `npm ci` runs: the client and the command as any Node from 20 on, or a browser, runs them. */
await runTool(async () => {
  await buildClient(join(client, 'dist'));
  return 0;
});

async function buildClient(outdir: string): Promise<void> {
  await build({
    entryPoints: {
      index: join(client, 'src/index.ts'),
      node: join(client, 'src/node/index.ts'),
      slipway: join(client, 'src/cli/slipway.ts'),
    },
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // What the command and the client share, and what only some commands load, are files of their own.
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    logLevel: 'error',
  });
}
