import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bareRouteNames, routes } from '#functions/routes.ts';

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

/** `$default` with the handlers of bare routes, and of no others: what is not imported stays out. */
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
