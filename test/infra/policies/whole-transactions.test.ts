import { describe, expect, it } from 'vitest';
import { partitionPatterns } from '#lib/table/keys.ts';
import type { ItemUse } from '#test/recording/service-call.ts';
import {
  allFunctions,
  bareRoutes,
  counting,
  type Declared,
  declaredFunctions,
  fallback,
  places,
} from '../functions-of.ts';
import { centre, synthesize, type Templates } from '../synthesize.ts';
import { findDeployed } from './deployed.ts';
import { areAllowed } from './is-allowed.ts';
import { type KeysReading, requestsOf } from './requests-of.ts';
import { roleStatements } from './role-statements.ts';

const writes = ['DeleteItem', 'PutItem', 'UpdateItem'];

/**
 * Every write that a function declares, in one transaction: no real one can be wider. Counting the
 * calls of a user is a write by itself.
 */
function widestTransaction({ tableUses }: Declared): ItemUse[] {
  const pairs = tableUses
    .filter((use) => use !== counting)
    .flatMap(({ actions, partitions }) =>
      actions.flatMap((action) =>
        partitions
          .filter((kind) => writes.includes(action) && places[kind] === 'table')
          .map((kind) => ({ action, key: partitionPatterns[kind].replace('*', '0') })),
      ),
    );
  return Object.entries(Object.groupBy(pairs, ({ action }) => action)).map(
    ([action, found = []]) => ({ action, partitions: found.map(({ key }) => key) }),
  );
}

/** `$default` serves one of its routes at a time. */
const widest = [
  ...declaredFunctions.map((each) => ({ name: each.name, uses: widestTransaction(each) })),
  ...bareRoutes.map((each) => ({ name: fallback.name, uses: widestTransaction(each) })),
].filter(({ uses }) => uses.length > 0);

function listDenied(templates: Templates, reading: KeysReading): string[] {
  const deployed = findDeployed(templates);
  const denied = widest
    .filter(({ name, uses }) => {
      const requests = requestsOf({ to: 'table', uses }, deployed, reading);
      return !areAllowed(roleStatements(templates, name), requests);
    })
    .map(({ name }) => name);
  return [...new Set(denied)];
}

describe('if DynamoDB names the keys of a whole transaction for each of its actions', () => {
  it('functions that append to a ledger or the audit could be denied', () => {
    const denied = listDenied(synthesize(centre), 'whole transaction');
    console.log(
      `Could be denied without uniteStatements: ${denied.length} of ${allFunctions.length} functions (${denied.join(', ')}).`,
    );
    expect(denied).toContain('submit-job');
    expect(listDenied(synthesize(centre), 'per action')).toEqual([]);
  });

  it('none is denied with united statements, whichever reading is right', () => {
    const united = synthesize({ ...centre, uniteStatements: 'true' });
    expect(listDenied(united, 'whole transaction')).toEqual([]);
    expect(listDenied(united, 'per action')).toEqual([]);
  });
});

describe('united statements', () => {
  const [declared, united] = [
    synthesize(centre),
    synthesize({ ...centre, uniteStatements: 'true' }),
  ];

  it.each(allFunctions.map(({ name }) => name))('change nothing else in the role of %s', (name) => {
    const rest = (templates: Templates) =>
      roleStatements(templates, name).filter(
        ({ actions }) => !actions.some((action) => writes.includes(action.slice(9))),
      );
    const reads = (templates: Templates) =>
      roleStatements(templates, name).flatMap(({ actions, resources, conditions }) =>
        actions
          .filter((action) => /^dynamodb:(BatchGetItem|GetItem|Query)$/.test(action))
          .map((action) => JSON.stringify([action, resources, conditions])),
      );
    expect(new Set(reads(united))).toEqual(new Set(reads(declared)));
    expect(rest(united)).toEqual(expect.arrayContaining(rest(declared)));
  });
});
