import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schedules } from '../../functions/schedules.ts';
import { deleteJob } from '../../lib/jobs/delete-job.ts';
import { placeOf } from '../../lib/jobs/job-item.ts';
import { openTable, type Table } from '../../lib/table/table.ts';
import { createTable } from '../../local/create-table.ts';
import {
  type EmbeddedDynamoDb,
  startEmbeddedDynamoDb,
} from '../../local/dynamodb/embedded-dynamodb.ts';
import { createWorld } from '../fixtures/life.ts';

/** The role of track-jobs is built from its declaration: what a sweep does must be in it. */
const used = new Set<string>();
let noting = false;
let database: EmbeddedDynamoDb;
let table: Table;
beforeAll(async () => {
  database = await startEmbeddedDynamoDb();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  await createTable('slipway-declared');
  table = openTable('slipway-declared');
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (parameters) => {
        if (noting) for (const action of actionsOf(commandName, parameters.input)) used.add(action);
        return next(parameters);
      },
    { step: 'initialize' },
  );
});
afterAll(async () => {
  table.client.destroy();
  await database.close();
});

function actionsOf(commandName: string, input: object): string[] {
  const action = commandName.replace(/Command$/, '');
  if (action !== 'TransactWriteItems') return [action];
  const { TransactItems = [] }: { TransactItems?: object[] } = input;
  return TransactItems.flatMap((item) => Object.keys(item).map((kind) => `${kind}Item`));
}

describe('a sweep', () => {
  it('does with the table, from hand-over to end and cancel, what track-jobs declares', async () => {
    const world = createWorld(table, 'hpc_one');
    const sweep = async () => {
      noting = true;
      await world.sweep();
      noting = false;
      world.pass(40);
    };
    await world.submit('1');
    for (let count = 0; count < 4; count += 1) await sweep();
    const cancelled = await world.submit('1');
    await sweep();
    await deleteJob(table, placeOf(cancelled), cancelled.jobId, world.now());
    await sweep();
    // PutItem is the ledger line; the note of which systems answer is a put as well.
    expect([...used].sort()).toEqual([...schedules['track-jobs'].table.actions].sort());
  });
});
