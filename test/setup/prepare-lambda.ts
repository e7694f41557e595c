import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildBundles } from '#tools/bundles/build-bundles.ts';
import { catalog, catalogFile } from '../fixtures/catalog.ts';
import type { DeployedFunction } from '../lambda/deployed/deployed-function.ts';
import { readDeployed } from '../lambda/deployed/read-deployed.ts';
import { installRuntime } from '../lambda/platform/install-runtime.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Not where this machine cannot compile the runtime client. */
    lambda?: { readonly runtime: string; readonly functions: readonly DeployedFunction[] };
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
  await buildBundles(directory, catalog);
  const functions = readDeployed(directory, join(directory, 'cdk.out'), catalogFile);
  project.provide('lambda', { runtime: installed.runtime, functions });
  return () => rmSync(directory, { recursive: true });
}
