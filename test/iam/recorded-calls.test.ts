import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { createTable } from '#local/create-table.ts';
import { allFunctions } from '../infra/functions-of.ts';
import { type Deployed, findDeployed } from '../infra/policies/deployed.ts';
import { region } from '../infra/policies/fill-in.ts';
import { areAllowed, type PolicyStatement } from '../infra/policies/is-allowed.ts';
import { type KeysReading, requestsOf } from '../infra/policies/requests-of.ts';
import { roleStatements } from '../infra/policies/role-statements.ts';
import { production, synthesize } from '../infra/synthesize.ts';
import { readCalls } from '../recording/recorded-calls.ts';
import type { ItemUse } from '../recording/service-call.ts';
import { administrator } from './party/administrator.ts';
import { mayMake } from './party/ask-party.ts';
import { openRole, takeRole } from './party/open-roles.ts';

const endpoint = inject('fakecloud');

interface TableCall {
  readonly uses: readonly ItemUse[];
}

/** Every call to the table that the tests made, once, whoever made it. */
const calls: readonly TableCall[] = [
  ...new Map(
    readCalls(process.env.RECORDED_CALLS ?? '').flatMap(({ call }) =>
      call.to === 'table' && call.uses.every(({ partitions }) => partitions.length > 0)
        ? [[JSON.stringify(call.uses), call]]
        : [],
    ),
  ).values(),
];

const inParallel = 16;

describe.skipIf(endpoint === undefined)('a party that decides by IAM', () => {
  const at = endpoint ?? '';
  const opened: DynamoDBClient[] = [];
  const clientOf = (credentials: object) => {
    const client = new DynamoDBClient({ endpoint: at, region, credentials: Object(credentials) });
    opened.push(client);
    return DynamoDBDocument.from(client);
  };
  const templates = synthesize(production);
  const deployed: Deployed = { ...findDeployed(templates), keyArn: undefined };
  const ownJudgement = (
    statements: readonly PolicyStatement[],
    { uses }: TableCall,
    reading: KeysReading,
  ) => areAllowed(statements, requestsOf({ to: 'table', uses }, deployed, reading));

  beforeAll(async () => {
    Object.assign(process.env, {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: administrator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: administrator.secretAccessKey,
    });
    await createTable(deployed.table, at);
  });
  afterAll(() => {
    for (const client of opened) client.destroy();
  });

  it('decides about every recorded call of every function as the evaluator does', async () => {
    const differing: unknown[] = [];
    let allowed = 0;
    let readings = 0;
    for (const { name } of allFunctions) {
      const statements = roleStatements(templates, name);
      const client = clientOf(await openRole(at, templates, name));
      await mapInParallel(calls, inParallel, async (call) => {
        const here = ownJudgement(statements, call, 'per action');
        const there = await mayMake(client, deployed.table, call.uses);
        if (here !== there) differing.push({ name, uses: call.uses, here, there });
        if (there) allowed += 1;
        if (there && !ownJudgement(statements, call, 'whole transaction')) readings += 1;
      });
    }
    console.log(
      `${calls.length} calls by ${allFunctions.length} roles: ${allowed} allowed, of which ${readings} would be refused if keys were those of the whole transaction.`,
    );
    expect(differing).toEqual([]);
    expect(allowed).toBeGreaterThan(allFunctions.length);
    expect(readings).toBeGreaterThan(0);
  });

  it('refuses a submission to a role without one of its statements', async () => {
    const statements = roleStatements(templates, 'submit-job');
    const submission = calls.find(
      (call) =>
        call.uses.some(({ action }) => action === 'PutItem') &&
        call.uses.length > 1 &&
        ownJudgement(statements, call, 'per action'),
    );
    const needed = statements.filter(
      (each) =>
        !ownJudgement(
          statements.filter((other) => other !== each),
          submission ?? { uses: [] },
          'per action',
        ),
    );
    expect(needed.length).toBeGreaterThan(1);
    for (const [index, missing] of needed.entries()) {
      const Statement = statements
        .filter((each) => each !== missing)
        .map(({ effect, actions, resources, conditions }) => ({
          Effect: effect,
          Action: actions,
          Resource: resources,
          ...(Object.keys(conditions).length > 0 && { Condition: conditions }),
        }));
      const role = await takeRole(at, `doctored-${index}`, [{ Version: '2012-10-17', Statement }]);
      const uses = submission?.uses ?? [];
      expect(await mayMake(clientOf(role), deployed.table, uses), String(index)).toBe(false);
    }
  });
});
