import {
  DeleteCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/schedules/remove-uploads.ts';
import { schedules } from '#functions/schedules.ts';
import { countCommands, expectUse } from '../fixtures/declared-use.ts';
import { user } from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { mockTable, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();
const storage = mockStorage();
const key = { PK: `USER#${user}`, SK: 'UPLOAD#u-1' };
const due = { due: 'DUE#UPLOADS#0', due_at: '2019-02-12T22:40:01.000Z' };
const stored = {
  ...key,
  ...due,
  type: 'upload',
  schema_version: 1,
  upload_id: 'u-1',
  owner: user,
  file_name: 'big.zip',
  bytes: 7,
  open_until: 1_549_925_001,
  expires_at: 1_550_443_401,
};

/** Answers the query for what is due in one shard; nothing is due in the others. */
function holdDue(shard: string, item: object): void {
  table
    .on(QueryCommand)
    .callsFake(({ ExpressionAttributeValues: values }) =>
      values[':shard'] === shard ? { Items: [item] } : {},
    );
}

beforeEach(() => {
  table.reset();
  storage.reset();
  holdDue('DUE#UPLOADS#0', { ...key, ...due });
  table.on(DeleteCommand).resolves({});
});

async function run() {
  const before = countCommands();
  await handler();
  expectUse('remove-uploads', schedules['remove-uploads'].table, before);
}

describe('the schedule remove-uploads', () => {
  it('removes the file and the record of an upload that no job has begun with', async () => {
    table.on(GetCommand).resolves({ Item: stored });
    await run();
    expect(storage.calls).toEqual([`DELETE /inputs-test/${user}/uploads/u-1.zip`]);
    expect(table.commandCalls(DeleteCommand)[0]?.args[0].input).toEqual({
      TableName: tableName,
      Key: key,
      ConditionExpression: 'attribute_not_exists(job_id)',
    });
  });

  it.each([
    { what: 'a job has', found: { Item: { ...stored, job_id: 'A' } } },
    { what: 'is gone', found: {} },
  ])('leaves alone what $what by now', async ({ found }) => {
    table.on(GetCommand).resolves(found);
    await run();
    expect(storage.calls).toEqual([]);
    expect(table.commandCalls(DeleteCommand)).toEqual([]);
  });

  it('removes copies of large files whose addresses have expired, and their records', async () => {
    const relay = { PK: `USER#${user}`, SK: 'RELAY#A-1#large' };
    const due_at = '2019-02-12T22:40:01.000Z';
    holdDue('DUE#RELAYS#0', { ...relay, due_at });
    table.on(GetCommand).resolves({
      Item: {
        ...relay,
        type: 'relay',
        schema_version: 1,
        owner: user,
        job_id: 'A-1',
        file_id: 'large',
        size: 5_000_000,
        due_at,
      },
    });
    table.on(TransactWriteCommand).resolves({});
    await run();
    expect(storage.calls).toEqual([`DELETE /results-test/relay/${user}/A-1/large`]);
    const [transaction] = table.commandCalls(TransactWriteCommand);
    expect(transaction?.args[0].input.TransactItems).toMatchObject([
      { Delete: { Key: relay } },
      {
        Update: { Key: { SK: 'RELAYS' }, ExpressionAttributeValues: { ':added_size': -5_000_000 } },
      },
    ]);
  });
});
