import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { describeVersion, packedFiles, root } from '#infra/constructs/functions/bundle-options.ts';
import { functionFiles } from '../bundles/build-bundles.ts';
import { sayHowToRun, serverCommands } from './server-commands.ts';

const standIns = join(root, 'lib/stand-ins');

/** Modules that are loaded by their place: commands, functions, threads and the shepherd of a job. */
const entries = [
  ...Object.values(serverCommands).map(({ file }) => file),
  ...Object.values(functionFiles).map((file) => `functions/${file}`),
  ...['lives', 'answering', 'listing'].map((name) => `local/${name}-thread`),
  'local/shepherd/shepherd',
  'tools/release/run-server',
];

/** The files that modules read from beside them. */
const data = [
  'lib/catalog/catalog.json',
  'lib/catalog/this-machine.json',
  'docs/examples/job_file.zip',
];

/**
 * Bundles the service and the commands of operators, with all packages that they need, into a folder
 * with the places of a checkout. Modules are shared, and not minified, so that an operator can read
 * what a stack trace names.
 */
export async function bundleServer(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [...new Set(entries)].map((file) => join(root, `${file}.ts`)),
    outbase: root,
    outdir,
    chunkNames: 'parts/[hash]',
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    metafile: true,
    logLevel: 'warning',
    external: ['cpu-features', '*/sshcrypto.node'],
    alias: {
      '#lib/reference/read-reference-file.ts': join(standIns, 'reference-files.ts'),
      '#lib/telemetry/running-version.ts': join(standIns, 'running-version.ts'),
    },
    define: { BUILT_IN_VERSION: JSON.stringify(describeVersion()) },
    // Packages that are CommonJS load the modules of Node with `require`.
    banner: {
      js: "import { createRequire as openRequire } from 'node:module'; const require = openRequire(import.meta.url);",
    },
    plugins: [placeModules],
  });
  for (const file of data) writeBelow(outdir, file, readFileSync(join(root, file)));
  for (const [name, bytes] of packedFiles()) {
    writeBelow(outdir, join('lib/stand-ins/reference', name), bytes);
  }
  // What a module finds by its place, it finds by this name, whichever part holds the module.
  const manifest = { type: 'module', imports: { '#place/*': './*' } };
  writeBelow(outdir, 'package.json', Buffer.from(`${JSON.stringify(manifest)}\n`));
  return metafile;
}

/** Writes the program that starts all of this, beside the folder of the bundle. */
export async function bundleLauncher(outfile: string, bundle: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'tools/release/slipway-server.ts')],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node16',
    supported: { 'dynamic-import': true },
    banner: { js: '#!/usr/bin/env node' },
    plugins: [
      {
        name: 'load-bundle',
        setup: ({ onResolve }) =>
          onResolve({ filter: /run-server\.ts$/ }, () => ({
            path: `./${relative(dirname(outfile), bundle)}/tools/release/run-server.js`,
            external: true,
          })),
      },
    ],
  });
}

function writeBelow(folder: string, name: string, bytes: Uint8Array): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

/**
 * Lets modules find their neighbours. A bundled module is in one of the shared parts, so its place is
 * written into it.
 */
const placeModules: Plugin = {
  name: 'place-modules',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined;
      const contents = placeModule(relative(root, path), readFileSync(path, 'utf8'));
      return { contents, loader: 'ts' };
    });
  },
};

function placeModule(path: string, text: string): string {
  const folder = `process.getBuiltinModule('node:url').fileURLToPath(import.meta.resolve('#place/${dirname(path)}'))`;
  return (
    sayHowToRun(text)
      // Only as CommonJS it has a default, and that form cannot be bundled.
      .replace("import jsonc from 'jsonc-parser'", "import * as jsonc from 'jsonc-parser'")
      .replace(/\.ts(?=['`], import\.meta\.url\))/g, '.js')
      .replaceAll('import.meta.url', `import.meta.resolve('#place/${path}')`)
      .replaceAll(/import\.meta\.dirname|\b__dirname\b/g, folder)
  );
}
