import { describe, expect, it } from 'vitest';
import { type AuthorizationRequest, isAllowed, type PolicyStatement } from './is-allowed.ts';
import { parseStatements } from './role-statements.ts';

const table = 'arn:aws:dynamodb:eu-central-1:123456789012:table/Jobs';

const allow = (more: Partial<PolicyStatement> = {}): PolicyStatement => ({
  effect: 'Allow',
  actions: ['dynamodb:GetItem'],
  resources: [table],
  conditions: {},
  ...more,
});
const deny = (more: Partial<PolicyStatement> = {}) => allow({ effect: 'Deny', ...more });

const ask = (more: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  action: 'dynamodb:GetItem',
  resource: table,
  context: {},
  ...more,
});

const keys = (...values: string[]) => ({ context: { 'dynamodb:LeadingKeys': values } });
const ofUsers = {
  conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['USER#*', 'PROJECTS'] } },
};

describe('a request', () => {
  it('is refused where nothing allows it', () => {
    expect(isAllowed([], ask())).toBe(false);
    expect(isAllowed([allow()], ask({ action: 'dynamodb:PutItem' }))).toBe(false);
    expect(isAllowed([allow()], ask({ resource: `${table}2` }))).toBe(false);
  });

  it('is allowed by one statement of several', () => {
    expect(isAllowed([allow({ resources: ['x'] }), allow()], ask())).toBe(true);
  });

  it('is refused by one that denies it, wherever that stands', () => {
    expect(isAllowed([allow(), deny()], ask())).toBe(false);
    expect(isAllowed([deny(), allow()], ask())).toBe(false);
    expect(isAllowed([allow(), deny({ actions: ['dynamodb:PutItem'] })], ask())).toBe(true);
  });

  it('must find action, resource and conditions in the same statement', () => {
    const halves = [allow({ resources: [`${table}2`] }), allow({ actions: ['dynamodb:Query'] })];
    expect(isAllowed(halves, ask())).toBe(false);
  });
});

describe('a pattern', () => {
  it.each([
    ['dynamodb:*', true],
    ['dynamodb:Get*', true],
    ['DYNAMODB:getitem', true],
    ['dynamodb:Get?tem', true],
    ['dynamodb:Get?', false],
    ['dynamodb:GetIte', false],
    ['dynamodb:Get.*', false],
    ['*', true],
  ])('%s of an action fits GetItem: %s', (pattern, fits) => {
    expect(isAllowed([allow({ actions: [pattern] })], ask())).toBe(fits);
  });

  it.each([
    [`${table}/*`, `${table}/index/due`, true],
    [`${table}/*`, table, false],
    [`${table}*`, `${table}/index/due`, true],
    [table.toLowerCase(), table, false],
    [`${table}/index/du?`, `${table}/index/due`, true],
  ])('%s of a resource fits %s: %s', (pattern, resource, fits) => {
    expect(isAllowed([allow({ resources: [pattern] })], ask({ resource }))).toBe(fits);
  });
});

describe('a condition on all values', () => {
  const judge = (more: Partial<AuthorizationRequest>) => isAllowed([allow(ofUsers)], ask(more));

  it('holds if each of them fits some pattern', () => {
    expect(judge(keys('USER#1'))).toBe(true);
    expect(judge(keys('USER#1', 'PROJECTS'))).toBe(true);
    expect(judge(keys('USER#1', 'LEDGER#1'))).toBe(false);
    expect(judge(keys('PROJECTS#1'))).toBe(false);
  });

  it('holds for a request that has none, as a Scan: only its action can refuse it', () => {
    expect(judge({})).toBe(true);
    const scan = ask({ action: 'dynamodb:Scan' });
    expect(isAllowed([allow(ofUsers)], scan)).toBe(false);
    expect(isAllowed([allow({ ...ofUsers, actions: ['dynamodb:*'] })], scan)).toBe(true);
  });

  it('must be met by one statement for all of a transaction', () => {
    const ofLedgers = {
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['LEDGER#*'] } },
    };
    const both = [allow(ofUsers), allow(ofLedgers)];
    expect(isAllowed(both, ask(keys('LEDGER#1')))).toBe(true);
    expect(isAllowed(both, ask(keys('USER#1', 'LEDGER#1')))).toBe(false);
  });
});

describe('a condition on one value', () => {
  const via = { StringEquals: { 'kms:ViaService': ['s3.amazonaws.com', 'sqs.amazonaws.com'] } };
  const judge = (conditions: PolicyStatement['conditions'], context: object) =>
    isAllowed([allow({ conditions })], ask({ context: { ...context } }));

  it('holds if it is one of those named, and not without a value', () => {
    expect(judge(via, { 'kms:ViaService': ['sqs.amazonaws.com'] })).toBe(true);
    expect(judge(via, { 'KMS:viaservice': ['sqs.amazonaws.com'] })).toBe(true);
    expect(judge(via, { 'kms:ViaService': ['SQS.amazonaws.com'] })).toBe(false);
    expect(judge(via, {})).toBe(false);
  });

  it('must hold with all others', () => {
    const two = { StringEquals: { ...via.StringEquals, 'kms:CallerAccount': ['1'] } };
    const context = { 'kms:ViaService': ['s3.amazonaws.com'] };
    expect(judge(two, context)).toBe(false);
    expect(judge(two, { ...context, 'kms:CallerAccount': ['1'] })).toBe(true);
    const like = { ...via, StringLike: { 'kms:CallerAccount': ['1*'] } };
    expect(judge(like, { ...context, 'kms:CallerAccount': ['12'] })).toBe(true);
    expect(judge(like, { ...context, 'kms:CallerAccount': ['21'] })).toBe(false);
  });

  it.each([
    ['arn:aws:lambda:eu-central-1:1:function:*', true],
    ['arn:aws:lambda:*:1:function:submit', true],
    ['arn:aws:lambda:*:function:submit', false],
    ['arn:aws:lambda:*', false],
  ])('is compared with the ARN %s part by part: %s', (pattern, fits) => {
    const source = 'arn:aws:lambda:eu-central-1:1:function:submit';
    const conditions = { ArnLike: { 'lambda:SourceFunctionArn': [pattern] } };
    expect(judge(conditions, { 'lambda:SourceFunctionArn': [source] })).toBe(fits);
  });

  it('is not guessed where its operator is not known, or several values meet it', () => {
    expect(() => judge({ Bool: { a: ['true'] } }, {})).toThrow('does not know the condition Bool');
    expect(() => judge({ 'ForAnyValue:StringLike': { a: ['*'] } }, {})).toThrow('ForAnyValue');
    expect(() => judge(via, { 'kms:ViaService': ['a', 'b'] })).toThrow('one value');
  });
});

describe('a policy', () => {
  const statement = { Effect: 'Allow', Action: 's3:GetObject', Resource: ['a', 'b'] };

  it('is read with one text or many', () => {
    const Condition = { StringEquals: { a: 'b' } };
    expect(parseStatements({ Statement: [{ ...statement, Condition }] })).toEqual([
      {
        effect: 'Allow',
        actions: ['s3:GetObject'],
        resources: ['a', 'b'],
        conditions: { StringEquals: { a: ['b'] } },
      },
    ]);
  });

  it.each([{ NotAction: 'iam:*' }, { NotResource: 'a' }, { Principal: '*' }])(
    'with %o is not read',
    (unusual) => {
      expect(() => parseStatements({ Statement: [{ ...statement, ...unusual }] })).toThrow();
    },
  );
});
