import { afterAll, describe, expect, it } from 'vitest';
import {
  allFunctions,
  type Declared,
  declaredFunctions,
  letAssign,
} from '../infra/functions-of.ts';
import { covers } from '../infra/policies/covers.ts';
import { findDeployed } from '../infra/policies/deployed.ts';
import { areAllowed } from '../infra/policies/is-allowed.ts';
import { type KeysReading, requestsOf } from '../infra/policies/requests-of.ts';
import { roleStatements } from '../infra/policies/role-statements.ts';
import {
  type Context,
  centre,
  production,
  synthesize,
  withAwsBatch,
  withIssuer,
  withNetwork,
} from '../infra/synthesize.ts';
import { readCalls } from '../recording/recorded-calls.ts';
import type { ServiceCall } from '../recording/service-call.ts';
import { listReach } from './list-reach.ts';
import { isUnused, unused } from './unused-rules.ts';

const recorded = readCalls(process.env.RECORDED_CALLS ?? '');

/** What each function did, each call once. */
const calls = recorded.flatMap(({ by, call }) => (typeof by === 'string' ? [{ by, call }] : []));
const callers = new Set(calls.map(({ by }) => by));

/** What rules and stores did without a function around them, with the files that it went through. */
const ofRules = recorded.flatMap(({ by, call }) => (typeof by === 'string' ? [] : [{ by, call }]));

const assigned: Context = { ...withIssuer, userIds: 'assigned' };
const variants: Readonly<Record<string, Context>> = {
  dev: {},
  prod: { ...production, ...centre },
  'prod, own network': { ...production, ...withNetwork },
  'AWS Batch': withAwsBatch,
  'numbers given by the service': assigned,
};

/** Without a system on AWS Batch, no function calls it, and none may. */
const isMade = ({ to }: ServiceCall, variant: string) =>
  to !== 'aws-batch' || variants[variant] === withAwsBatch;

/** Without a system that has credentials there is nothing to be allowed. */
const exists = ({ to }: ServiceCall, variant: string) => to !== 'secrets' || variant === 'prod';

/** Whether the role of a function allows a call, in the templates of a variant. */
function openRoles(
  context: Context,
  reading: KeysReading = 'per action',
): (name: string, call: ServiceCall) => boolean {
  const templates = synthesize(context);
  const deployed = findDeployed(templates);
  const roles = new Map(allFunctions.map(({ name }) => [name, roleStatements(templates, name)]));
  return (name, call) => areAllowed(roles.get(name) ?? [], requestsOf(call, deployed, reading));
}

const allowedIn = new Map(
  Object.entries(variants).map(([variant, context]) => [variant, openRoles(context)]),
);

const refused = new Map<string, number>();

describe.each([...allowedIn])('the roles of %s', (variant, isAllowed) => {
  it('allow every call that their functions made', () => {
    const made = calls.filter(({ call }) => isMade(call, variant));
    expect(made.filter(({ by, call }) => !isAllowed(by, call))).toEqual([]);
  });

  it('allow of the calls of other functions what their own declares, and refuse the rest', () => {
    const functions = variants[variant] === assigned ? allFunctions.map(letAssign) : allFunctions;
    const pairs = functions.flatMap((declared) =>
      calls
        .filter(({ by, call }) => by !== declared.name && exists(call, variant))
        .map(({ call }) => ({ declared, call })),
    );
    const judged = pairs.map(({ declared, call }) => ({
      name: declared.name,
      call,
      declares: isMade(call, variant) && covers(declared, call),
      allowed: isAllowed(declared.name, call),
    }));
    expect(judged.filter(({ declares, allowed }) => declares !== allowed)).toEqual([]);
    refused.set(variant, judged.filter(({ allowed }) => !allowed).length);
    expect(refused.get(variant)).toBeGreaterThan(judged.length / 2);
  });
});

const deniedWhole = new Map<string, string[]>();

describe('if DynamoDB names the keys of a whole transaction for each of its actions', () => {
  const united = Object.entries(variants).map(([variant, context]): [string, Context] => [
    variant,
    { ...context, uniteStatements: 'true' },
  ]);

  const others = calls.filter(({ call }) => call.to !== 'aws-batch');

  const listDenied = (context: Context) => {
    const isAllowed = openRoles(context, 'whole transaction');
    const denied = others.filter(({ by, call }) => !isAllowed(by, call));
    return [...new Set(denied.map(({ by }) => by))].sort();
  };

  it.each(Object.entries(variants))('the roles of %s deny some functions', (variant, context) => {
    deniedWhole.set(variant, listDenied(context));
    expect(deniedWhole.get(variant)).toContain('submit-job');
  });

  it.each(united)('the united statements of %s deny none', (_, context) => {
    expect(listDenied(context)).toEqual([]);
  });

  it.each(united)('the united statements of %s deny none if it is per action', (_, context) => {
    const isAllowed = openRoles(context);
    expect(others.filter(({ by, call }) => !isAllowed(by, call))).toEqual([]);
  });
});

/** The laptop edition releases leases at its start, and reconcile finds what stands still. */
const ofLaptopAndTools = ['lib/batches/find-standing.ts', 'lib/jobs/read/find-standing-jobs.ts'];

describe('rules and stores', () => {
  const reach = new Map(declaredFunctions.map(({ name, file }) => [name, listReach(file)]));
  const bundledWith = (files: readonly string[]): Declared[] =>
    declaredFunctions.filter(({ name }) => files.every((file) => reach.get(name)?.has(file)));
  const isAllowed = (name: string, call: ServiceCall) =>
    [...allowedIn.values()].some((allows) => allows(name, call));

  const judged = ofRules.flatMap(({ by, call }) =>
    bundledWith(by).map(({ name }) => ({ name, by, call, allowed: isAllowed(name, call) })),
  );
  const refusedThere = judged.filter(({ allowed }) => !allowed);

  it('are allowed what they do by the role of every function that has them and uses them so', () => {
    expect(judged.length).toBeGreaterThan(ofRules.length);
    expect(refusedThere.filter(({ name, by }) => !isUnused(name, by))).toEqual([]);
  });

  it('are not excused where nothing is refused', () => {
    const needless = Object.entries(unused).flatMap(([file, names]) =>
      names
        .filter(
          (name) => !refusedThere.some((each) => each.name === name && each.by.includes(file)),
        )
        .map((name) => `${file}: ${name}`),
    );
    expect(needless).toEqual([]);
  });

  it('are all of some function, or of the laptop edition and tools alone', () => {
    const ofNobody = ofRules.filter(({ by }) => bundledWith(by).length === 0);
    const files = ofNobody.map(({ by }) => by.find((file) => ofLaptopAndTools.includes(file)));
    expect([...new Set(files)].sort()).toEqual(ofLaptopAndTools);
  });
});

it('functions that use nothing of AWS but their logs are the only ones of which no call was recorded', () => {
  const silent = declaredFunctions.filter(({ name }) => !callers.has(name));
  expect(silent.map(({ name }) => name)).toEqual(['read-reference']);
});

afterAll(() => {
  const silent = allFunctions.filter(({ name }) => !callers.has(name)).map(({ name }) => name);
  const pairs = [...refused].map(([variant, count]) => `${count} in ${variant}`).join(', ');
  console.log(
    [
      `${calls.length} distinct calls of ${callers.size} functions evaluated, and ${ofRules.length} of rules and stores.`,
      `Pairs of a function and a call of another that were refused: ${pairs}.`,
      ...[...deniedWhole].map(
        ([variant, names]) =>
          `Denied in ${variant} if keys are those of the whole transaction: ${names.length} functions (${names.join(', ')}); with uniteStatements none.`,
      ),
      `No call was recorded of: ${silent.join(', ') || 'none'}.`,
    ].join('\n'),
  );
});
