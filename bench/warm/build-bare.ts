import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '#infra/constructs/functions/bundle-options.ts';
import { catalog } from '#test/fixtures/catalog.ts';

/** The bare handler, built as the functions are. */
export async function buildBare(directory: string): Promise<string> {
  const outfile = join(directory, 'bare', 'index.js');
  const entry = join(import.meta.dirname, 'bare-handler.ts');
  await build({
    ...bundleOptions({ catalog }),
    entryPoints: [entry],
    outfile,
    logLevel: 'warning',
  });
  return outfile;
}
