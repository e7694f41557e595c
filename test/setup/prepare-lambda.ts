import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { buildBundles } from '#tools/bundles/build-bundles.ts';
import type { Context } from '#tools/stacks/make-app.ts';
import { catalogFile as usual } from '../fixtures/catalog.ts';
import type { DeployedFunction } from '../lambda/deployed/deployed-function.ts';
import { type Certificate, makeCertificate } from '../lambda/deployed/key-set.ts';
import { ofLaptop, readDeployed } from '../lambda/deployed/read-deployed.ts';
import { installRuntime } from '../lambda/platform/install-runtime.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Not where this machine cannot compile the runtime client. */
    lambda?: {
      readonly runtime: string;
      readonly functions: readonly DeployedFunction[];
      readonly certificate: Certificate;
      /** What they were built and synthesized for. */
      readonly context: Context;
    };
  }
}

/** The runtime client, every bundle, and how each is deployed: once for all files of the suite. */
export default async function prepareLambda(project: TestProject) {
  const installed = installRuntime();
  if ('missing' in installed) {
    console.log(`skipped: Lambda's runtime client needs ${installed.missing}`);
    return undefined;
  }
  const directory = mkdtempSync(join(tmpdir(), 'slipway-lambda-'));
  const catalogFile = writeCatalog(directory);
  await buildBundles(directory, readCatalog(catalogFile));
  const context = { ...ofLaptop, catalog: catalogFile };
  const functions = readDeployed(directory, join(directory, 'cdk.out'), context);
  const certificate = makeCertificate(directory);
  project.provide('lambda', { runtime: installed.runtime, functions, certificate, context });
  return () => rmSync(directory, { recursive: true });
}

/** The catalog of the tests, and a system whose jobs run as their owners: else nobody is mapped. */
function writeCatalog(directory: string): string {
  const { systems } = JSON.parse(readFileSync(usual, 'utf8'));
  const [first] = systems;
  const mapped = {
    ...first,
    name: 'hpc_mapped',
    runsAs: 'mapped',
    projects: [{ ...first.projects[0], name: 'proj_hpc_mapped_01', number: 99 }],
  };
  const file = join(directory, 'catalog.json');
  writeFileSync(file, JSON.stringify({ systems: [...systems, mapped] }));
  return file;
}
