import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BundledPackage,
  listBundledPackages,
} from '#infra/constructs/functions/third-party.ts';
import { readOperatorCatalog } from '../catalog/read-operator-catalog.ts';
import { buildConsole } from '../client/build-console.ts';
import { bundleClient } from '../client/bundle-client.ts';
import { exitWith } from '../run-tool.ts';
import { buildBundles } from './build-bundles.ts';
import { completeSbom, listComponents } from './write-sbom.ts';

/** `npm run -s sbom` prints all packages as CycloneDX, and says which of them each bundle contains. */
await exitWith(async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'slipway-sbom-'));
  const bundled = await buildAll(folder.path);
  const sbom = completeSbom(listComponents(), bundled);
  process.stdout.write(`${JSON.stringify(sbom, undefined, 2)}\n`);
  return 0;
});

async function buildAll(folder: string): Promise<Record<string, readonly BundledPackage[]>> {
  const functions = await buildBundles(join(folder, 'functions'), readOperatorCatalog());
  return {
    functions: functions.flatMap(({ packages }) => packages),
    console: listBundledPackages(await buildConsole(join(folder, 'console'))),
    client: await bundleClient(join(folder, 'client')),
  };
}
