import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import * as v from 'valibot';
import { readConfig } from '#infra/settings/config.ts';
import { addStacks } from '#infra/stacks/add-stacks.ts';
import { readTemplates, type Templates } from './templates.ts';

export type Context = Readonly<Record<string, string>>;

const CdkJson = v.object({ context: v.record(v.string(), v.unknown()) });

const cdkJson = join(import.meta.dirname, '../../cdk.json');

/** The flags that the CDK's command line passes. Without them the templates would differ. */
export const { context: flags } = v.parse(CdkJson, JSON.parse(readFileSync(cdkJson, 'utf8')));

/**
 * Creates the app as the CDK's command line does, without bundling functions, which takes seconds.
 */
export function makeApp(context: Context, props: AppProps = {}): App {
  return new App({
    ...props,
    context: {
      ...flags,
      'aws:cdk:bundling-stacks': [],
      'aws:cdk:enable-path-metadata': true,
      ...context,
    },
  });
}

export function synthesizeVariant(context: Context): Templates {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'slipway-synth-'));
  const app = makeApp(context, { outdir: folder.path, builtinCloudFormationValidation: false });
  return readTemplates(addStacks(app, readConfig(app.node)));
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

/** The same catalog as that of `-c batch=true`. */
export const withAwsBatch: Context = { catalog: 'docs/examples/aws-batch.json', batch: 'true' };

export const production: Context = { stage: 'prod', allowSimulator: 'true' };

/** Ways to deploy. Each must fit into its stacks. */
export const variants: Readonly<Record<string, Context>> = {
  dev: {},
  prod: production,
  'prod, own domain': { ...production, ...withDomain },
  'prod, own issuer': { ...production, ...withIssuer },
  'prod, own network': { ...production, ...withNetwork },
  'prod, console': { ...production, ...withConsolePages },
  'dev, console at CloudFront': { console: 'true' },
  'prod, mail and budget': {
    ...production,
    alarmEmail: 'ops@example.org',
    emailFrom: 'slipway@example.org',
  },
  'dev, AWS Batch': withAwsBatch,
  'prod, AWS Batch': { stage: 'prod', ...withAwsBatch },
  'prod, catalog of a centre': { stage: 'prod', catalog: 'docs/examples/three-systems.json' },
};
