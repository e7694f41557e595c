import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/webhooks/delete-webhook.ts';
import { asUser, call } from '../fixtures/call.ts';
import { answer, readResponse } from '../fixtures/responses.ts';
import { user } from '../fixtures/samples.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  sentCommands,
  tableName,
} from '../fixtures/table-mock.ts';
import { webhookBody, webhookId, webhookItem } from '../fixtures/webhooks.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(GetCommand).resolves({ Item: webhookItem });
  table.on(TransactWriteCommand).resolves({});
});

const path = `/webhooks/${webhookId}/`;
const remove = async () =>
  readResponse(await call(handler, { method: 'DELETE', path, headers: asUser() }));

describe('DELETE /webhooks/{webhook_id}/', () => {
  it('answers the webhook that was, and counts one less in the same write', async () => {
    expect(await remove()).toEqual(answer(200, webhookBody));
    const [, transaction] = sentCommands(table);
    expect(transaction).toEqual([
      'TransactWriteCommand',
      {
        TransactItems: [
          {
            Delete: {
              TableName: tableName,
              Key: { PK: `USER#${user}`, SK: `WEBHOOK#${webhookId}` },
              ConditionExpression: expect.any(String),
            },
          },
          {
            Update: {
              TableName: tableName,
              Key: { PK: `USER#${user}`, SK: 'WEBHOOKS' },
              UpdateExpression: 'ADD #webhooks :added_webhooks',
              ExpressionAttributeNames: { '#webhooks': 'webhooks' },
              ConditionExpression: expect.any(String),
              ExpressionAttributeValues: { ':added_webhooks': -1, ':none': 0 },
            },
          },
        ],
      },
    ]);
  });

  it('answers 404 for one that is not there, or is somebody else’s', async () => {
    table.on(GetCommand).resolves({});
    expect(await remove()).toMatchObject({
      statusCode: 404,
      body: { type: 'urn:slipway:problem:webhook-not-found' },
    });
    expect(sentCommands(table)).toHaveLength(1);
  });

  it('answers 404 where the same request was first', async () => {
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed]));
    expect(await remove()).toMatchObject({ statusCode: 404 });
  });
});
