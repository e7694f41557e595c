import type { Context } from './make-app.ts';

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

export const production: Context = { stage: 'prod', allowSimulator: 'true' };

/** What is deployed in one way or another, and must fit into a stack in each. */
export const variants: Readonly<Record<string, Context>> = {
  dev: {},
  prod: production,
  'prod, own domain': { ...production, ...withDomain },
  'prod, own issuer': { ...production, ...withIssuer },
  'prod, own network': { ...production, ...withNetwork },
  'prod, console': { ...production, ...withConsolePages },
  'prod, catalog of a centre': { stage: 'prod', catalog: 'docs/examples/three-systems.json' },
};
