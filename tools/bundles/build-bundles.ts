import { join } from 'node:path';
import { build } from 'esbuild';
import { listeners } from '#functions/listeners.ts';
import { routes } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import { streams } from '#functions/streams.ts';
import { functionBuild, putFilesBeside } from '#infra/constructs/functions/bundle-options.ts';
import type { BundledParts } from '#infra/constructs/functions/stand-ins.ts';
import type { BundledPackage } from '#infra/constructs/functions/third-party.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Route } from '#lib/http/routes/route.ts';

export interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** How many modules it loads: its own, and those of Node that it asks for. */
  readonly modules: number;
  /** The largest packages in the bundle. */
  readonly largest: readonly { readonly name: string; readonly bytes: number }[];
  readonly packages: readonly BundledPackage[];
}

/** Every deployed function, by the name that infra gives it. */
export const functionFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [routes, schedules, streams, listeners].flatMap((list) =>
      Object.entries(list).map(([name, { file }]) => [name, file]),
    ),
  ),
  fallback: 'fallback',
};

const tableless = new Set(
  Object.entries<Route>(routes).flatMap(([name, { table }]) => (table ? [] : [name])),
);

export async function buildBundles(directory: string, catalog: Catalog): Promise<Bundle[]> {
  return Promise.all(
    Object.entries(functionFiles).map(([name, file]) =>
      buildBundle(name, file, directory, { catalog, hasTable: !tableless.has(name) }),
    ),
  );
}

async function buildBundle(
  name: string,
  source: string,
  directory: string,
  parts: BundledParts,
): Promise<Bundle> {
  const file = join(directory, name, 'index.js');
  const { metafile } = await build(functionBuild(source, file, parts));
  const packages = putFilesBeside(file, metafile, parts);
  const [, output] = Object.entries(metafile.outputs).find(([path]) => path.endsWith('.js')) ?? [];
  if (!output) throw new Error(`esbuild wrote nothing for ${name}`);
  const { bytes, inputs, imports } = output;
  const own = Object.values(inputs).filter(({ bytesInOutput }) => bytesInOutput > 0);
  const ofNode = new Set(imports.map(({ path: each }) => each.replace('node:', '')));
  const modules = own.length + ofNode.size;
  return { name, file, bytes, modules, largest: weighPackages(inputs), packages };
}

function weighPackages(inputs: Readonly<Record<string, { bytesInOutput: number }>>) {
  const weights = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'slipway';
    weights.set(name, (weights.get(name) ?? 0) + bytesInOutput);
  }
  return [...weights]
    .map(([name, bytes]) => ({ name, bytes }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, 3);
}
