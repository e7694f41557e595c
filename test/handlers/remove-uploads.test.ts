import { DeleteCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/schedules/remove-uploads.ts';
import { schedules } from '#functions/schedules.ts';
import { countCommands, expectUse } from '../fixtures/declared-use.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { user } from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { uploadItem } from '../fixtures/submissions.ts';

const table = useTable();
const storage = mockStorage();
beforeEach(() => storage.reset());

const upload = uploadItem({ bytes: 7, upload_id: 'u-1' });

async function run() {
  const before = countCommands();
  await handler();
  expectUse('remove-uploads', schedules['remove-uploads'].table, before);
}

describe('the schedule remove-uploads', () => {
  it('removes the file and the record of an upload that no job has begun with', async () => {
    await table.hold(upload);
    await run();
    expect(storage.calls).toEqual([`DELETE /inputs-test/${user}/uploads/u-1.zip`]);
    expect(await table.list()).toEqual([]);
  });

  it('leaves alone what a job has by now', async () => {
    const claimed = { ...upload, job_id: 'A' };
    await table.hold(claimed);
    await run();
    expect([storage.calls, await table.list()]).toEqual([[], [claimed]]);
  });

  it('removes copies of large files whose addresses have expired, and their records', async () => {
    const PK = `USER#${user}`;
    const room = { PK, SK: 'RELAYS', type: 'relays', schema_version: 1, size: 5_000_007 };
    await table.hold(room, {
      ...{ PK, SK: 'RELAY#A-1#large', type: 'relay', schema_version: 1, owner: user },
      ...{ job_id: 'A-1', file_id: 'large', size: 5_000_000 },
      ...{ due: 'DUE#RELAYS#0', due_at: '2019-02-12T22:40:01.000Z' },
    });
    await run();
    expect(storage.calls).toEqual([`DELETE /results-test/relay/${user}/A-1/large`]);
    expect(await table.list()).toEqual([{ ...room, size: 7 }]);
  });
});

describe('remove-uploads with a mocked table', () => {
  const { PK, SK, due, due_at } = upload;
  beforeEach(() => {
    table.mock.on(DeleteCommand).resolves({});
    table.mock
      .on(QueryCommand)
      .callsFake(({ ExpressionAttributeValues: values }) =>
        values[':shard'] === due ? { Items: [{ PK, SK, due, due_at }] } : {},
      );
  });

  it('deletes only if no job has the upload', async () => {
    table.mock.on(GetCommand).resolves({ Item: upload });
    await run();
    const ConditionExpression = 'attribute_not_exists(job_id)';
    expect(table.mock.commandCalls(DeleteCommand)).toMatchObject([
      { args: [{ input: { Key: { PK, SK }, ConditionExpression } }] },
    ]);
  });

  it('deletes nothing that is gone', async () => {
    table.mock.on(GetCommand).resolves({});
    await run();
    expect([storage.calls, table.mock.commandCalls(DeleteCommand)]).toEqual([[], []]);
  });
});
