import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, AppProps } from 'aws-cdk-lib';
import { readConfig } from '#infra/settings/config.ts';
import { addStacks } from '#infra/stacks/add-stacks.ts';
import { catalogFile } from '#test/fixtures/catalog.ts';
import { type Context, makeApp as makeAnyApp } from '#tools/stacks/make-app.ts';
import {
  type Resource,
  readTemplates,
  type TemplateJson,
  type Templates,
} from '#tools/stacks/templates.ts';

export {
  type Context,
  flags,
  production,
  withAwsBatch,
  withConsolePages,
  withDomain,
  withIssuer,
  withNetwork,
} from '#tools/stacks/make-app.ts';
export {
  findAll,
  joinServing,
  type Resource,
  type TemplateJson,
  type Templates,
} from '#tools/stacks/templates.ts';

/** Apps write here, one after the other: a folder for each worker, which the next run writes again. */
const outdir = join('node_modules/.cache/synth', process.env.VITEST_POOL_ID ?? '');

export function makeApp(context: Context, props: AppProps = {}): App {
  return makeAnyApp({ catalog: catalogFile, ...context }, { outdir, ...props });
}

const made = new Map<string, Templates>();

/** The templates, made once per context. */
export function synthesize(context: Context = {}): Templates {
  const key = JSON.stringify(context);
  const known = made.get(key);
  if (known) return known;
  // The CDK's own rules take seconds and change nothing: best-practices.test.ts runs them.
  const app = makeApp(context, { builtinCloudFormationValidation: false });
  const templates = readTemplates(addStacks(app, readConfig(app.node)));
  made.set(key, templates);
  return templates;
}

/** The resource that a construct made, by its path below the stack. */
export function findByPath(template: TemplateJson, path: string): [string, Resource] {
  const found = Object.entries(template.Resources).find(([, { Metadata }]) =>
    String(Metadata?.['aws:cdk:path']).endsWith(`/${path}`),
  );
  if (!found) throw new Error(`No resource was made by ${path}.`);
  return found;
}

/** The systems of the interface as a centre has them, with credentials, and a key for its data. */
export const centre: Context = { ownKey: 'true', catalog: writeCentre() };

function writeCentre(): string {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')).systems;
  const [slurm, , nsg] = read('docs/examples/three-systems.json');
  const connectors = [slurm.connector, nsg.connector];
  const file = join(mkdtempSync(join(tmpdir(), 'slipway-centre-')), 'centre.json');
  const real = read(catalogFile).map((system: object, index: number) => ({
    ...system,
    connector: connectors[index],
  }));
  writeFileSync(file, JSON.stringify({ systems: real }));
  return file;
}

export const withConsole: Context = {
  corsOrigins: 'https://console.example.org, http://localhost:5173',
};
