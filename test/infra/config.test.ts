import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RootConstruct } from 'constructs';
import { afterAll, describe, expect, it } from 'vitest';
import { type DeployConfig, readConfig } from '#infra/settings/config.ts';
import { ContextError } from '#infra/settings/context-error.ts';
import { InvalidCatalogError, machineCatalog } from '#lib/catalog/file/read-catalog.ts';
import { brokenCatalogs, editCatalog } from '#test/fixtures/broken-catalogs.ts';
import { catalog, catalogFile } from '#test/fixtures/catalog.ts';
import { flags } from './synthesize.ts';

function read(context: Readonly<Record<string, unknown>>): DeployConfig {
  return readWithout({ catalog: catalogFile, ...context });
}

/** Reads a context that names no catalog by itself. */
function readWithout(context: Readonly<Record<string, unknown>>): DeployConfig {
  const { node } = new RootConstruct();
  for (const [name, value] of Object.entries(context)) node.setContext(name, value);
  return readConfig(node);
}

/** The one line that an operator sees. */
function refusalOf(context: Readonly<Record<string, unknown>>): string {
  try {
    read(context);
  } catch (error) {
    if (error instanceof ContextError) return error.message;
  }
  throw new Error('It was not refused.');
}

describe('a context', () => {
  it('may be empty: a stage for development with users of its own', () => {
    expect(read({})).toEqual({
      stage: 'dev',
      service: 'slipway-dev',
      production: false,
      catalog,
      awsBatch: [],
      identity: undefined,
      command: {},
      corsOrigins: [],
      domain: undefined,
      alarms: false,
      alarmEmail: undefined,
      ticketEmail: undefined,
      dashboard: false,
      traces: false,
      ownKey: false,
      release: 'at-once',
      throttle: { rate: 100, burst: 200 },
      callers: {},
      reservedConcurrency: new Map(),
      network: undefined,
      uniteStatements: false,
      permissionsBoundary: undefined,
      logDays: 30,
    });
  });

  it('may say everything', () => {
    const context = {
      stage: 'prod',
      allowSimulator: 'true',
      issuer: 'https://sso.example.org/realms/hpc',
      audience: 'slipway',
      jwksUri: 'https://sso.example.org/keys',
      userClaim: 'uid',
      userIds: 'assigned',
      adminClaims: 'roles,groups',
      adminValue: 'hpc-admin',
      commandClientId: 'slipway-command',
      commandScope: 'openid',
      corsOrigins: 'https://console.example.org,http://localhost:5173',
      domainName: 'jobs.example.org',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b',
      alarms: 'false',
      alarmEmail: 'ops@example.org',
      ticketEmail: 'desk@example.org',
      dashboard: 'true',
      traces: 'true',
      ownKey: 'false',
      emailFrom: 'slipway@example.org',
      monthlyBudgetUsd: '250',
      budgetEmail: 'finance@example.org',
      release: 'at-once',
      throttleRate: '20',
      throttleBurst: '40',
      callerRate: '3',
      callerBurst: '30',
      reservedConcurrency: 'queue-deliveries:20, read-files:7',
      vpcId: 'vpc-0a1b2c3d',
      subnetIds: 'subnet-0a1b2c3d, subnet-0a1b2c3e',
      securityGroupIds: 'sg-0a1b2c3d',
      routeTableIds: 'rtb-0a1b2c3d',
      uniteStatements: 'true',
      permissionsBoundary: 'boundary-of-slipway',
      logDays: '365',
    };
    expect(read(context)).toEqual({
      stage: 'prod',
      service: 'slipway-prod',
      production: true,
      catalog,
      awsBatch: [],
      identity: {
        ISSUER: 'https://sso.example.org/realms/hpc',
        AUDIENCE: 'slipway',
        JWKS_URI: 'https://sso.example.org/keys',
        USER_CLAIM: 'uid',
        USER_IDS: 'assigned',
        ADMIN_CLAIMS: 'roles,groups',
        ADMIN_VALUE: 'hpc-admin',
      },
      command: { COMMAND_CLIENT_ID: 'slipway-command', COMMAND_SCOPE: 'openid' },
      corsOrigins: ['https://console.example.org', 'http://localhost:5173'],
      domain: {
        name: 'jobs.example.org',
        certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b',
      },
      alarms: false,
      alarmEmail: 'ops@example.org',
      ticketEmail: 'desk@example.org',
      dashboard: true,
      traces: true,
      ownKey: false,
      emailFrom: 'slipway@example.org',
      budget: { dollars: 250, email: 'finance@example.org' },
      release: 'at-once',
      throttle: { rate: 20, burst: 40 },
      callers: { CALLER_RATE: '3', CALLER_BURST: '30' },
      reservedConcurrency: new Map([
        ['queue-deliveries', 20],
        ['read-files', 7],
      ]),
      network: {
        vpcId: 'vpc-0a1b2c3d',
        subnetIds: ['subnet-0a1b2c3d', 'subnet-0a1b2c3e'],
        securityGroupIds: ['sg-0a1b2c3d'],
        routeTableIds: ['rtb-0a1b2c3d'],
      },
      uniteStatements: true,
      permissionsBoundary: 'boundary-of-slipway',
      logDays: 365,
    });
  });

  it('may ask for the console, with a domain name of its own or without', () => {
    const own = {
      console: 'true',
      consoleDomainName: 'console.example.org',
      consoleCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b',
    };
    expect(read(own)).toMatchObject({
      console: {
        domain: { name: 'console.example.org' },
        clientId: undefined,
        scope: 'openid',
      },
    });
    expect(read({ console: 'true' })).toMatchObject({ console: { domain: undefined } });
    expect(read({ console: 'false' }).console).toBeUndefined();
  });

  it('may hold numbers as numbers, in cdk.json', () => {
    expect(read({ throttleRate: 20, logDays: 7 })).toMatchObject({
      throttle: { rate: 20, burst: 200 },
      logDays: 7,
    });
  });

  it.each(['dev', 'prod', 'staging2'])('may name the stage %s', (stage) => {
    expect(read({ stage, allowSimulator: 'true' })).toMatchObject({
      stage,
      production: stage === 'prod',
      release: stage === 'prod' ? 'gradual' : 'at-once',
    });
  });

  it("may hold the CDK's own names", () => {
    const own = {
      ...flags,
      'aws:cdk:bundling-stacks': [],
      'availability-zones:account=123456789012:region=eu-central-1': [],
      'acknowledged-issue-numbers': [1],
      'cli-telemetry': false,
    };
    expect(read(own).stage).toBe('dev');
  });
});

describe('a context is refused', () => {
  it.each([
    [{ stage: 'Prod' }, 'stage: must be lower-case letters and digits'],
    [{ stage: 'a-b' }, 'stage: must be lower-case letters and digits'],
    [{ stage: 'abcdefghijklmnopq' }, 'stage: must be lower-case letters and digits'],
    [{ stage: '' }, 'stage: must not be empty'],
    [
      { issuer: 'http://sso.example.org', audience: 'a' },
      'issuer: must be an address that begins with https://',
    ],
    [{ issuer: 'sso', audience: 'a' }, 'issuer: must be an address that begins with https://'],
    [{ issuer: 'https://sso.example.org' }, 'issuer: needs audience as well'],
    [{ audience: 'slipway' }, 'audience: needs issuer as well'],
    [{ jwksUri: 'https://sso.example.org/keys' }, 'jwksUri: needs issuer as well'],
    [{ userClaim: 'uid' }, 'userClaim: needs issuer as well'],
    [{ adminClaims: 'roles' }, 'adminClaims: needs issuer as well'],
    [{ adminValue: 'admin' }, 'adminValue: needs issuer as well'],
    [{ issuer: 'https://sso.example.org', audience: '' }, 'audience: must not be empty'],
    [{ domainName: 'jobs.example.org' }, 'domainName: needs certificateArn as well'],
    [
      { certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/a' },
      'certificateArn: needs domainName as well',
    ],
    [
      { domainName: 'https://jobs.example.org', certificateArn: 'arn:aws:acm:x:1:certificate/a' },
      'domainName: must be a host name such as jobs.example.org; certificateArn: must be the ARN in ACM',
    ],
    [
      { console: 'true', issuer: 'https://sso.example.org', audience: 'slipway' },
      'console: needs consoleClientId as well, the public client that your issuer knows it by',
    ],
    [{ consoleScope: 'openid' }, 'consoleScope: needs consoleClientId as well'],
    [
      { consoleCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b' },
      'consoleCertificateArn: must be the ARN in ACM of us-east-1, where CloudFront looks; ' +
        'consoleCertificateArn: needs consoleDomainName as well',
    ],
    [
      { corsOrigins: 'https://a.example/' },
      'corsOrigins: must be origins such as https://console.example.org',
    ],
    [{ corsOrigins: '*' }, 'corsOrigins: must be origins such as https://console.example.org'],
    [{ alarmEmail: 'ops' }, 'alarmEmail: must be an e-mail address'],
    [{ emailFrom: 'Slipway <a@b.org>' }, 'emailFrom: must be an e-mail address'],
    [{ release: 'slow' }, 'release: must be gradual or at-once'],
    [{ throttleRate: '0' }, 'throttleRate: must be a whole number from 1 to 10000'],
    [{ throttleRate: '10001' }, 'throttleRate: must be a whole number from 1 to 10000'],
    [{ throttleRate: '1.5' }, 'throttleRate: must be a whole number from 1 to 10000'],
    [{ throttleRate: 1.5 }, 'throttleRate: must be a whole number from 1 to 10000'],
    [{ throttleRate: '1e3' }, 'throttleRate: must be a whole number from 1 to 10000'],
    [{ throttleRate: 'many' }, 'throttleRate: must be a whole number from 1 to 10000'],
    [{ throttleBurst: '5001' }, 'throttleBurst: must be a whole number from 1 to 5000'],
    [{ callerRate: '0' }, 'callerRate: must be a whole number from 1 to 10000'],
    [{ callerBurst: '100001' }, 'callerBurst: must be a whole number from 1 to 100000'],
    [
      { reservedConcurrency: 'read-files' },
      'reservedConcurrency: must be functions with numbers from 1 to 9999, such as queue-deliveries:20',
    ],
    [
      { reservedConcurrency: 'read-files:0' },
      'reservedConcurrency: must be functions with numbers from 1 to 9999, such as queue-deliveries:20',
    ],
    [
      { reservedConcurrency: 'read-files:2,read-mail:2' },
      'reservedConcurrency: there is no function read-mail; functions/ has their names',
    ],
    [{ vpcId: 'vpc-0a1b2c3d' }, 'vpcId: needs subnetIds as well'],
    [{ subnetIds: 'subnet-0a1b2c3d' }, 'subnetIds: needs vpcId as well'],
    [{ securityGroupIds: 'sg-0a1b2c3d' }, 'securityGroupIds: needs vpcId as well'],
    [{ routeTableIds: 'rtb-0a1b2c3d' }, 'routeTableIds: needs vpcId as well'],
    [
      { vpcId: 'main', subnetIds: 'subnet-0a1b2c3d,public' },
      'vpcId: must be an id such as vpc-0a1b2c3d; subnetIds: must be ids such as subnet-0a1b2c3d',
    ],
    [
      { logDays: '31' },
      'logDays: must be a retention period of CloudWatch Logs: 1, 7, 30, 90, 365, ...',
    ],
    [{ logDays: '9999' }, 'logDays: must be a whole number from 1 to 3653'],
  ])('%j', (context, problem) => {
    expect(refusalOf(context)).toBe(`The context (-c) is not valid. ${problem}.`);
  });

  it.each([{ throttleRate: '10000' }, { throttleBurst: '5000' }, { logDays: '3653' }])(
    'but not at its bounds: %j',
    (context) => {
      expect(() => read(context)).not.toThrow();
    },
  );

  it('for a name that looks like ours and is none', () => {
    expect(refusalOf({ isuer: 'https://sso.example.org' })).toMatch(
      /^The context \(-c\) is not valid\. isuer: is not a setting; the settings are stage, catalog, .*\.$/,
    );
  });

  it('for everything that is wrong, at once', () => {
    const line = refusalOf({ stage: 'X', alarmEmail: 'ops', colour: 'red' });
    for (const name of ['stage', 'alarmEmail', 'colour']) expect(line).toContain(`${name}: `);
  });
});

describe('a catalog', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-catalog-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const write = (name: string, text: string) => {
    const file = join(directory, name);
    writeFileSync(file, text);
    return file;
  };

  it.each(brokenCatalogs)('that $kind is refused, with every mistake', ({ text, lines }) => {
    const file = write('centre.json', text);
    expect(() => read({ catalog: file })).toThrow(
      new InvalidCatalogError(lines.map((line) => `${file}${line}`)),
    );
  });

  it('that is not there is refused', () => {
    expect(() => read({ catalog: './nowhere.json' })).toThrow(
      /^nowhere\.json: there is no such file/,
    );
  });

  it('with the machine of the laptop edition in it is refused', () => {
    expect(refusalOf({ catalog: machineCatalog })).toBe(
      'The context (-c) is not valid. catalog: hpc_one, hpc_two would run jobs on the machine of the ' +
        'service, which only the laptop edition (npm start) has; use the connector "slurm", ' +
        '"batch", "unicore" or "nsg" in a deployment (docs/catalog.md).',
    );
  });

  it('with a simulator in it is refused for prod, unless it is allowed there', () => {
    expect(refusalOf({ stage: 'prod' })).toBe(
      'The context (-c) is not valid. catalog: hpc_one, hpc_two would be simulated in prod, and run ' +
        'no job; name a catalog of your own systems (-c catalog=./centre.json, docs/catalog.md), ' +
        'or add -c allowSimulator=true.',
    );
    expect(refusalOf({ stage: 'prod', allowSimulator: 'false' })).toContain('simulated in prod');
    expect(read({ stage: 'prod', allowSimulator: 'true' }).production).toBe(true);
    expect(read({ stage: 'staging' }).catalog).toEqual(catalog);
  });

  it('is that of docs/examples/aws-batch.json with -c batch=true alone', () => {
    expect(readWithout({ batch: 'true', stage: 'prod' })).toMatchObject({
      catalog: { systems: [{ name: 'aws_batch' }] },
      awsBatch: [
        {
          name: 'aws_batch',
          queue: 'slipway-prod-jobs',
          definition: 'slipway-prod-aws_batch',
          creates: {
            image: 'public.ecr.aws/docker/library/python:3.13-slim',
            capacity: 'FARGATE',
          },
        },
      ],
    });
    expect(readWithout({ batch: 'false' }).awsBatch).toEqual([]);
  });

  it('without a system on AWS Batch is refused with -c batch=true', () => {
    expect(refusalOf({ batch: 'true', catalog: 'docs/examples/centre.json' })).toBe(
      'The context (-c) is not valid. batch: the catalog docs/examples/centre.json has no system ' +
        'with the connector "batch"; add one (docs/catalog.md), or leave out either setting.',
    );
  });

  it('of real systems is accepted for prod', () => {
    const slurm =
      '{ "kind": "slurm", "baseUrl": "https://slurm.example.org", "partition": "batch", "workDirectory": "/scratch" }';
    const { systems } = JSON.parse(editCatalog(['{ "kind": "simulator" }', slurm]));
    const file = write('real.json', JSON.stringify({ systems: systems.slice(0, 1) }));
    expect(read({ stage: 'prod', catalog: file }).catalog.systems).toMatchObject([
      { name: 'hpc_one', connector: { kind: 'slurm', partition: 'batch' } },
    ]);
  });
});

describe('the budget for jobs', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-budget-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'catalog.json');
  const [first] = JSON.parse(
    editCatalog(['{ "kind": "simulator" }', '{ "kind": "batch" }']),
  ).systems;
  const limits = { nodes: 1, coresPerNode: 16 };
  const stages = {
    first: 'QUEUED',
    running: 'RUNNING',
    living: ['QUEUED', 'STARTING', 'RUNNING'],
    succeeded: ['SUCCESSFUL'],
    failed: ['FAILED'],
  };
  const batch = { ...first, limits: { ...first.limits, ...limits }, stages };
  writeFileSync(file, JSON.stringify({ systems: [batch] }));

  it('is the one of AWS Budgets, and does not need an address', () => {
    expect(read({ catalog: file, monthlyBudgetUsd: '20' })).toMatchObject({
      jobBudget: 20,
      budget: undefined,
    });
    expect(read({ catalog: file, stage: 'prod' }).jobBudget).toBe(100);
  });

  it('is absent without a price, without a budget, and with 0', () => {
    expect(read({ monthlyBudgetUsd: '20' }).jobBudget).toBeUndefined();
    expect(read({ catalog: file }).jobBudget).toBeUndefined();
    expect(read({ catalog: file, monthlyBudgetUsd: '0' }).jobBudget).toBeUndefined();
  });
});

describe('the command line', () => {
  it('shows what is wrong with a catalog, and no stack', () => {
    const { status, stderr } = spawnSync(process.execPath, ['infra/app.ts'], {
      env: { ...process.env, CDK_CONTEXT_JSON: '{"catalog":"nowhere.json"}' },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^nowhere\.json: there is no such file \(looked for .*nowhere\.json\)\n$/,
    );
  });

  it('shows one line and no stack', () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ['infra/app.ts'], {
      env: { ...process.env, CDK_CONTEXT_JSON: '{"isuer":"https://sso.example.org"}' },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('isuer: is not a setting')]);
    expect(stdout).toBe('');
  });
});
