import { describe, expect, it } from 'vitest';
import { allowedOf, compareRole, expectedOf, tableStatement, without } from './compare-roles.ts';
import { doctorRole, type RawStatement } from './doctor-role.ts';
import { declaredFunctions, fallback, lambdaOf, letAssign } from './functions-of.ts';
import {
  centre,
  findAll,
  findByPath,
  joinServing,
  production,
  synthesize,
  type Templates,
  withAwsBatch,
  withIssuer,
} from './synthesize.ts';

const templates = synthesize(centre);
const submitJob = declaredFunctions.find(({ name }) => name === 'submit-job')!;
const takeResults = declaredFunctions.find(({ name }) => name === 'take-results')!;

describe.each(declaredFunctions)('the role of $name', (declared) => {
  it('allows exactly what the function declares', () => {
    expect(compareRole(templates, declared)).toEqual([]);
  });
});

describe('where AWS Batch runs jobs', () => {
  const batched = synthesize({ ...withAwsBatch, ownKey: 'true' });

  it.each(declaredFunctions)('the role of $name allows that and no more', (declared) => {
    expect(compareRole(batched, declared)).toEqual([]);
  });

  it('only functions that hand jobs over or follow them may call it', () => {
    const callers = declaredFunctions.filter(({ name }) =>
      allowedOf(batched, name).some(({ actions }) => actions.some((each) => /^batch:/.test(each))),
    );
    expect(callers.map(({ name }) => name)).toEqual(['track-jobs', 'hand-over-jobs']);
  });
});

describe('where the service gives users their numbers', () => {
  const assigned = synthesize({ ...centre, ...withIssuer, userIds: 'assigned' });

  it.each(declaredFunctions)('the role of $name allows that and no more', (declared) => {
    expect(compareRole(assigned, letAssign(declared))).toEqual([]);
  });

  it('functions know it, and how to reach the table', () => {
    const { Environment } = lambdaOf(assigned, 'list-systems').Properties;
    expect(Environment).toMatchObject({
      Variables: { USER_IDS: 'assigned', TABLE_NAME: expect.anything() },
    });
  });
});

describe('the role of $default', () => {
  const shared = expectedOf(templates, { ...fallback, tableUses: fallback.tableUses.slice(0, 1) });
  const common = shared.filter(({ actions }) => !actions[0]?.startsWith('dynamodb:'));
  const ofTable = without(allowedOf(templates, 'fallback'), common);
  const declared = fallback.tableUses.map((use) => tableStatement(templates, use));

  it('allows of the table what its routes declare, and no more', () => {
    expect(rightsOf(ofTable)).toEqual(rightsOf(declared));
    expect(ofTable.length).toBeGreaterThan(0);
  });

  it('allows besides what every function has, and the files and credentials of the routes', () => {
    expect(without(common, allowedOf(templates, 'fallback'))).toEqual([]);
  });

  /**
   * Partitions of a kind are in one place, so it does not matter in which statement a pair is. Only
   * queries read an index, so another action on one allows nothing.
   */
  function rightsOf(statements: typeof declared): string[] {
    const pairs = statements.flatMap(({ actions, resources, conditions }) =>
      actions.flatMap((action) =>
        [...resources, ...patternsOf(conditions)].map((each) => `${action} on ${each}`),
      ),
    );
    return [...new Set(pairs)].filter((pair) => !/:\w*Item on .*\/index\//.test(pair)).sort();
  }

  function patternsOf(conditions: unknown): string[] {
    return Object.values(conditions as Record<string, Record<string, string[]>>)
      .flatMap((condition) => Object.values(condition))
      .flat();
  }
});

describe('a role that was widened', () => {
  it.each([
    ['the files', 'hand-over-jobs', 's3:GetObject', 's3:DeleteObject'],
    ['the stream', 'publish-events', 'dynamodb:GetRecords', 'dynamodb:Scan'],
    ['the bus', 'publish-events', 'events:PutEvents', 'events:PutRule'],
    ['the queue', 'queue-deliveries', 'sqs:SendMessage', 'sqs:ReceiveMessage'],
  ])('is found out by one more action on %s', (_, name, action, added) => {
    const doctored = doctor((statements) => {
      const found = statements.find(({ Action }) => [Action].flat().includes(action));
      found!.Action = [found!.Action, added].flat();
    }, name);
    const declared = declaredFunctions.find((each) => each.name === name)!;
    expect(compareRole(doctored, declared)).toEqual([
      expect.stringContaining(added),
      expect.stringContaining('may not'),
    ]);
  });

  it('is found out by objects of the other bucket', () => {
    const nameOf = (bucket: string) => findByPath(templates.data, `Files/${bucket}/Resource`)[0];
    const doctored = doctor((statements) => {
      const found = statements.find(({ Action }) => Action === 's3:PutObject');
      found!.Resource = { 'Fn::Join': ['', [{ Ref: nameOf('Inputs') }, '/*']] };
    }, takeResults.name);
    expect(compareRole(doctored, takeResults)).toEqual([
      expect.stringContaining(nameOf('Inputs')),
      expect.stringContaining(nameOf('Results')),
    ]);
  });

  it('is found out by one more action', () => {
    const doctored = doctor((statements) => {
      statements[2]!.Action = [statements[2]!.Action, 'dynamodb:DeleteItem'].flat();
    });
    expect(compareRole(doctored, submitJob)).toEqual([
      expect.stringContaining('dynamodb:DeleteItem'),
      expect.stringContaining('may not'),
    ]);
  });

  it('is found out by a resource of any name', () => {
    const doctored = doctor((statements) => {
      statements[2]!.Resource = '*';
    });
    expect(compareRole(doctored, submitJob)).not.toEqual([]);
  });

  it('is found out by a condition that is gone', () => {
    const doctored = doctor((statements) => {
      delete statements[2]!.Condition;
    });
    expect(compareRole(doctored, submitJob)).not.toEqual([]);
  });

  it('is found out by a managed policy', () => {
    const doctored = structuredClone(templates);
    const [, role] = findByPath(joinServing(doctored), 'submit-job/Role/Resource');
    Object.assign(role.Properties, { ManagedPolicyArns: ['arn:aws:iam::aws:policy/Anything'] });
    expect(compareRole(doctored, submitJob)).toEqual([expect.stringContaining('Anything')]);
  });

  it('is found out by a policy that is attached from elsewhere', () => {
    const doctored = structuredClone(templates);
    const [roleId] = findByPath(joinServing(doctored), 'submit-job/Role/Resource');
    Object.assign(doctored.jobs.Resources, {
      Elsewhere: {
        Type: 'AWS::IAM::Policy',
        Properties: {
          Roles: [{ Ref: roleId }],
          PolicyDocument: {
            Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::all' }],
          },
        },
      },
    });
    expect(compareRole(doctored, submitJob)).toEqual([expect.stringContaining('s3:GetObject')]);
  });

  function doctor(
    change: (statements: RawStatement[]) => void,
    name: string = submitJob.name,
  ): Templates {
    return doctorRole(templates, name, change);
  }
});

describe('all roles and policies', () => {
  it('are one role per function', () => {
    const roles = findAll(joinServing(templates), 'AWS::IAM::Role').map(([id]) => id);
    const used = [...declaredFunctions, fallback].map(({ name }) =>
      JSON.stringify(lambdaOf(templates, name).Properties.Role),
    );
    expect(new Set(used).size).toBe(used.length);
    expect(roles).toHaveLength(used.length);
  });

  it.each([
    ['data', templates.data],
    ['service', joinServing(templates)],
    ['data, in production,', synthesize(production).data],
    ['service, in production,', joinServing(synthesize(production))],
  ])(
    'allow no action with a star in the stacks of %s, but to the account itself on its keys',
    (_, template) => {
      const statements = Object.values(template.Resources).flatMap(({ Properties }) =>
        findStatements(Properties),
      );
      expect(statements.length).toBeGreaterThan(5);
      const starred = statements.filter(
        ({ Effect, Action }) => Effect === 'Allow' && [Action].flat().some((a) => a.includes('*')),
      );
      for (const { Action, Principal } of starred.filter((each) => !emptiesBuckets(each))) {
        expect([Action].flat().every((action) => action.startsWith('kms:'))).toBe(true);
        expect(Principal).toEqual({ AWS: accountRoot });
      }
    },
  );

  it('allow the CDK to empty buckets, where they go with their stack and nowhere else', () => {
    const emptying = ({ data }: Templates) =>
      Object.values(data.Resources)
        .flatMap(({ Properties }) => findStatements(Properties))
        .filter(emptiesBuckets);
    expect(emptying(templates)).toHaveLength(3);
    for (const { Action } of emptying(templates)) {
      expect(Action).toEqual([
        's3:DeleteObject*',
        's3:GetBucket*',
        's3:List*',
        's3:PutBucketPolicy',
      ]);
    }
    expect(emptying(synthesize(production))).toEqual([]);
  });

  /** Whether it is for the function by which the CDK empties a bucket that is removed. */
  function emptiesBuckets({ Principal }: PolicyStatement): boolean {
    return JSON.stringify(Principal ?? '').includes(
      'S3AutoDeleteObjectsCustomResourceProviderRole',
    );
  }

  const accountRoot = {
    'Fn::Join': [
      '',
      ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ':root'],
    ],
  };

  interface PolicyStatement {
    readonly Effect: string;
    readonly Action: string | string[];
    readonly Principal?: unknown;
  }

  /** Statements at any depth: of roles, buckets, keys and topics. */
  function findStatements(value: unknown): PolicyStatement[] {
    if (typeof value !== 'object' || value === null) return [];
    if ('Effect' in value && 'Action' in value) return [value as PolicyStatement];
    return Object.values(value).flatMap(findStatements);
  }
});
