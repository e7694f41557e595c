import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { boundaryName } from '#tools/stacks/deployment-rights.ts';
import {
  compareTypes,
  findActions,
  listResources,
  measurePolicy,
  mostCharacters,
  type Policy,
  writeFiles,
} from '#tools/stacks/write-rights.ts';
import { isAllowed, type PolicyStatement } from './policies/is-allowed.ts';
import { findAll, production, synthesize, type TemplateJson } from './synthesize.ts';

const folder = 'docs/examples/rights';
const resources = listResources((context) => synthesize(context));
const checkedIn = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]),
);
const policies = new Map([...checkedIn].map(([name, text]) => [name, JSON.parse(text) as Policy]));
const deploying = [...policies].filter(([name]) => name.startsWith('deployment-'));

describe('docs/examples/rights', () => {
  it('has rights for every type of resource in any template, and for no other', () => {
    expect(compareTypes(resources)).toEqual({ missing: [], unused: [] });
  });

  it('tells of a type that nobody has thought of', () => {
    const further = { Type: 'AWS::StepFunctions::StateMachine', Properties: {} };
    expect(compareTypes([...resources, further]).missing).toEqual([further.Type]);
  });

  it('is what `npm run rights` writes', () => {
    expect(checkedIn).toEqual(writeFiles(resources));
  });

  it('fits into managed policies, of which a role has ten', () => {
    for (const policy of policies.values()) {
      expect(measurePolicy(policy)).toBeLessThanOrEqual(mostCharacters);
    }
    expect(deploying.length).toBeLessThanOrEqual(10);
  });

  it('names no service as a whole', () => {
    const actions = [...policies.values()].flatMap(findActions);
    expect(actions.filter((action) => /^\*$|:\*$/.test(action))).toEqual([]);
  });
});

describe('a deployment with these policies', () => {
  const statements = deploying
    .flatMap(([, { Statement }]) => Statement)
    .map(
      ({ Action, Resource, Condition = {} }): PolicyStatement => ({
        effect: 'Allow',
        actions: Action,
        resources: Resource,
        conditions: Object.fromEntries(
          Object.entries(Condition).map(([operator, keys]) => [
            operator,
            Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, [value]])),
          ]),
        ),
      }),
    );
  const boundary = {
    'iam:PermissionsBoundary': [`arn:aws:iam::123456789012:policy/${boundaryName}`],
  };
  const ask = (action: string, resource: string, context: Record<string, string[]> = {}) =>
    isAllowed(statements, { action, resource, context });
  const iam = (what: string) => `arn:aws:iam::123456789012:${what}`;

  it('creates roles with the boundary, and none without', () => {
    const role = iam('role/slipway-prod-service-readjobsRole');
    expect(ask('iam:CreateRole', role, boundary)).toBe(true);
    expect(ask('iam:CreateRole', role)).toBe(false);
    expect(
      ask('iam:CreateRole', role, {
        'iam:PermissionsBoundary': [iam('policy/AdministratorAccess')],
      }),
    ).toBe(false);
    expect(ask('iam:AttachRolePolicy', role)).toBe(false);
    expect(ask('iam:PutRolePolicy', role)).toBe(false);
  });

  it.each([
    ['iam:CreatePolicyVersion', iam(`policy/${boundaryName}`)],
    ['iam:CreatePolicyVersion', iam('policy/deployment-of-slipway-1')],
    ['iam:DeleteRolePermissionsBoundary', iam('role/slipway-prod-service-readjobsRole')],
    ['iam:AttachRolePolicy', iam('role/cdk-hnb659fds-cfn-exec-role-123456789012-eu-central-1')],
    ['iam:PassRole', iam('role/Admin')],
    ['iam:CreateUser', iam('user/slipway-prod')],
    ['lambda:UpdateFunctionCode', 'arn:aws:lambda:eu-central-1:123456789012:function:billing'],
    ['lambda:InvokeFunction', 'arn:aws:lambda:eu-central-1:123456789012:function:billing'],
    ['dynamodb:DeleteTable', 'arn:aws:dynamodb:eu-central-1:123456789012:table/customers'],
    ['dynamodb:GetItem', 'arn:aws:dynamodb:eu-central-1:123456789012:table/slipway-prod-data'],
    ['s3:GetObject', 'arn:aws:s3:::slipway-prod-data-results/1/output'],
    ['s3:DeleteBucket', 'arn:aws:s3:::backups'],
    ['secretsmanager:GetSecretValue', 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:x'],
    ['ec2:DeleteVpc', 'arn:aws:ec2:eu-central-1:123456789012:vpc/vpc-1'],
    ['kms:ScheduleKeyDeletion', 'arn:aws:kms:eu-central-1:123456789012:key/1'],
    ['logs:DeleteLogGroup', 'arn:aws:logs:eu-central-1:123456789012:log-group:/audit'],
  ])('may not %s on %s', (action, resource) => {
    expect(ask(action, resource, boundary)).toBe(false);
  });

  it.each([
    [
      'dynamodb:CreateTable',
      'arn:aws:dynamodb:eu-central-1:123456789012:table/slipway-prod-data-T',
    ],
    [
      'lambda:CreateFunction',
      'arn:aws:lambda:eu-central-1:123456789012:function:slipway-dev-service',
    ],
    ['s3:CreateBucket', 'arn:aws:s3:::slipway-prod-data-filesinputs'],
    ['s3:GetObject', 'arn:aws:s3:::cdk-hnb659fds-assets-123456789012-eu-central-1/a.zip'],
    ['events:CreateEventBus', 'arn:aws:events:eu-central-1:123456789012:event-bus/slipwayproddata'],
    ['sqs:CreateQueue', 'arn:aws:sqs:eu-central-1:123456789012:slipway-prod-service-dead'],
    ['iam:PassRole', iam('role/slipway-prod-service-readjobsRole')],
  ])('may %s on %s', (action, resource) => {
    expect(ask(action, resource)).toBe(true);
  });
});

describe('-c permissionsBoundary', () => {
  const rolesOf = (context: Readonly<Record<string, string>>) =>
    Object.values<TemplateJson>({ ...synthesize({ ...production, ...context }) }).flatMap(
      (template) =>
        findAll(template, 'AWS::IAM::Role').map(
          ([, { Properties }]) => Properties.PermissionsBoundary,
        ),
    );

  it('limits every role of every stack', () => {
    const limits = rolesOf({ permissionsBoundary: boundaryName, console: 'true' });
    const arn = `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:policy/${boundaryName}`;
    expect(limits.length).toBeGreaterThan(50);
    expect(
      limits.filter((limit) => JSON.stringify(limit) !== JSON.stringify({ 'Fn::Sub': arn })),
    ).toEqual([]);
  });

  it('is off unless somebody asks for it', () => {
    expect(rolesOf({}).filter((limit) => limit !== undefined)).toEqual([]);
  });
});
