import { describe, expect, it } from 'vitest';
import type { ServiceCall } from '#test/recording/service-call.ts';
import { doctorRole, type RawStatement } from '../doctor-role.ts';
import { declaredFunctions } from '../functions-of.ts';
import { centre, joinServing, synthesize, type Templates } from '../synthesize.ts';
import { covers } from './covers.ts';
import { findDeployed } from './deployed.ts';
import { areAllowed } from './is-allowed.ts';
import { requestsOf } from './requests-of.ts';
import { roleStatements } from './role-statements.ts';

const templates = synthesize(centre);
const name = 'submit-job';
const declared = declaredFunctions.find((each) => each.name === name)!;

const isAllowed = (from: Templates, call: ServiceCall) =>
  areAllowed(roleStatements(from, name), requestsOf(call, findDeployed(from)));

const ledger = 'LEDGER#0#hpc_one#0';
const submission: ServiceCall = {
  to: 'table',
  uses: [
    { action: 'PutItem', partitions: [ledger, 'USER#0'] },
    { action: 'UpdateItem', partitions: ['USER#0'] },
  ],
};
const query = (partition: string, index?: string): ServiceCall => ({
  to: 'table',
  uses: [{ action: 'Query', partitions: [partition], ...(index !== undefined && { index }) }],
});

const find = (statements: RawStatement[], action: string) =>
  statements.find(({ Action }) => [Action].flat().includes(action))!;

describe('submit-job as it is deployed', () => {
  it.each<[string, ServiceCall, boolean]>([
    ['a submission', submission, true],
    ['a list of jobs', query('USER#0', 'jobs_by_id'), true],
    ['what is due', query('DUE#hpc_one#0', 'due'), false],
    ['the audit', query('AUDIT#0'), false],
    ['the input', { to: 'inputs', method: 'PUT' }, true],
    ['whether it arrived', { to: 'inputs', method: 'HEAD' }, true],
    ['what it leaves', { to: 'results', method: 'GET' }, false],
    ['credentials', { to: 'secrets' }, false],
    ['events', { to: 'bus' }, false],
    [
      'two lines of which one is not its own',
      { to: 'table', uses: [{ action: 'PutItem', partitions: ['AUDIT#0', ledger] }] },
      false,
    ],
    ['a scan', { to: 'table', uses: [{ action: 'Scan', partitions: [] }] }, false],
  ])('%s: by its role as by its declaration', (_, call, allowed) => {
    expect(covers(declared, call)).toBe(allowed);
    expect(isAllowed(templates, call)).toBe(allowed);
  });
});

describe('a policy that is wrong', () => {
  const doctor = (change: (statements: RawStatement[]) => void) =>
    doctorRole(templates, name, change);

  it.each<[string, (statements: RawStatement[]) => void]>([
    [
      'an action that is missing',
      (statements) => {
        find(statements, 'dynamodb:PutItem').Action = 'dynamodb:GetItem';
      },
    ],
    [
      'a pattern that is narrower',
      (statements) => {
        find(statements, 'dynamodb:PutItem').Condition = {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['USER#*', 'LEDGER#1*'] },
        };
      },
    ],
    [
      'partitions of one transaction in two statements',
      (statements) => {
        const found = find(statements, 'dynamodb:PutItem');
        const only = (key: string) => ({
          ...found,
          Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': key } },
        });
        statements.splice(statements.indexOf(found), 1, only('USER#*'), only('LEDGER#*'));
      },
    ],
    [
      'another table',
      (statements) => {
        find(statements, 'dynamodb:PutItem').Resource = 'arn:aws:dynamodb:*:*:table/another';
      },
    ],
    [
      'a key that is not given',
      (statements) => {
        const found = statements.findIndex(({ Condition }) =>
          JSON.stringify(Condition ?? '').includes('"dynamodb.'),
        );
        statements.splice(found, 1);
      },
    ],
    [
      'a deny',
      (statements) => {
        statements.push({ Effect: 'Deny', Action: 'dynamodb:Put*', Resource: '*' });
      },
    ],
  ])('refuses the submission for %s', (_, change) => {
    expect(isAllowed(doctor(change), submission)).toBe(false);
  });

  it.each<[string, ServiceCall, (statements: RawStatement[]) => void]>([
    [
      'without its condition',
      query('AUDIT#0'),
      (statements) => {
        delete find(statements, 'dynamodb:Query').Condition;
      },
    ],
    [
      'with a star for its action',
      { to: 'table', uses: [{ action: 'Scan', partitions: [] }] },
      (statements) => {
        find(statements, 'dynamodb:Query').Action = 'dynamodb:*';
      },
    ],
    [
      'with a star for its resource',
      query('USER#0', 'registry'),
      (statements) => {
        find(statements, 'dynamodb:Query').Resource = '*';
      },
    ],
  ])('allows %s what it must not', (_, call, change) => {
    expect(isAllowed(templates, call)).toBe(false);
    expect(isAllowed(doctor(change), call)).toBe(true);
  });

  it('is not judged where it is of somebody else', () => {
    const doctored = structuredClone(templates);
    for (const { Type, Properties } of Object.values(joinServing(doctored).Resources)) {
      if (Type === 'AWS::IAM::Role') Object.assign(Properties, { ManagedPolicyArns: ['arn:a'] });
    }
    expect(() => roleStatements(doctored, name)).toThrow('submit-job has policies of others');
  });
});
