import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { afterAll } from 'vitest';
import { readConfig } from '#infra/settings/config.ts';
import { addStacks } from '#infra/stacks/add-stacks.ts';
import { catalogFile } from '#test/fixtures/catalog.ts';

export type Context = Readonly<Record<string, string>>;

const CdkJson = v.object({ context: v.record(v.string(), v.unknown()) });

/** The flags that the command line gives the app: without them the templates would be others. */
export const { context: flags } = v.parse(CdkJson, JSON.parse(readFileSync('cdk.json', 'utf8')));

/** Apps write here, one after the other, and the tests of a file leave nothing behind. */
const outdir = mkdtempSync(join(tmpdir(), 'slipway-synth-'));

afterAll(() => rmSync(outdir, { recursive: true }));

/** As the command line makes it, but for the bundling of functions, which takes seconds. */
export function makeApp(context: Context, props: AppProps = {}): App {
  return new App({
    outdir,
    ...props,
    context: {
      ...flags,
      'aws:cdk:bundling-stacks': [],
      'aws:cdk:enable-path-metadata': true,
      catalog: catalogFile,
      ...context,
    },
  });
}

export interface Templates {
  readonly data: TemplateJson;
  readonly service: TemplateJson;
  /** Only where it is deployed. */
  readonly console?: TemplateJson;
}

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface TemplateJson {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { Value: unknown; Export?: { Name: string } }>>;
}

const made = new Map<string, Templates>();

/** The templates, made once per context. */
export function synthesize(context: Context = {}): Templates {
  const key = JSON.stringify(context);
  const known = made.get(key);
  if (known) return known;
  // The CDK's own rules take seconds and change nothing: best-practices.test.ts runs them.
  const app = makeApp(context, { builtinCloudFormationValidation: false });
  const { data, service, console } = addStacks(app, readConfig(app.node));
  const templates: Templates = {
    data: toJson(data),
    service: toJson(service),
    ...(console && { console: toJson(console) }),
  };
  made.set(key, templates);
  return templates;
}

function toJson(stack: Parameters<typeof Template.fromStack>[0]): TemplateJson {
  const { Resources, Outputs } = Template.fromStack(stack).toJSON();
  return { Resources, Outputs };
}

/** All resources of a type with their logical ids. */
export function findAll({ Resources }: TemplateJson, type: string): [string, Resource][] {
  return Object.entries(Resources).filter(([, { Type }]) => Type === type);
}

/** The resource that a construct made, by its path below the stack. */
export function findByPath(template: TemplateJson, path: string): [string, Resource] {
  const found = Object.entries(template.Resources).find(([, { Metadata }]) =>
    String(Metadata?.['aws:cdk:path']).endsWith(`/${path}`),
  );
  if (!found) throw new Error(`No resource was made by ${path}.`);
  return found;
}

export const withIssuer: Context = {
  issuer: 'https://sso.example.org/realms/hpc',
  audience: 'slipway',
  jwksUri: 'https://sso.example.org/realms/hpc/protocol/openid-connect/certs',
};

export const withDomain: Context = {
  domainName: 'jobs.example.org',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c3d',
};

export const withConsole: Context = {
  corsOrigins: 'https://console.example.org, http://localhost:5173',
};

export const withNetwork: Context = {
  vpcId: 'vpc-0a1b2c3d4e5f60718',
  subnetIds: 'subnet-0a1b2c3d4e5f60718, subnet-0a1b2c3d4e5f60719',
  routeTableIds: 'rtb-0a1b2c3d4e5f60718',
};

export const withConsolePages: Context = {
  console: 'true',
  consoleDomainName: 'console.example.org',
  consoleCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
};

export const production: Context = { stage: 'prod', allowSimulator: 'true' };
