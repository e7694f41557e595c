import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler } from '#functions/webhooks/delete-webhook.ts';
import { ask, asUser } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { answer, refusal } from '../fixtures/responses.ts';
import { user } from '../fixtures/samples.ts';
import { canceled, conditionFailed, passed, sentTransactions } from '../fixtures/table-mock.ts';
import { webhookBody, webhookId, webhookItem } from '../fixtures/webhooks.ts';

const table = useTable();
const path = `/webhooks/${webhookId}/`;
const remove = () => ask(handler, { method: 'DELETE', path, headers: asUser() });
const notFound = refusal(404, 'webhook-not-found');

describe('DELETE /webhooks/{webhook_id}/', () => {
  it('answers the webhook that was, counts one less in the same write, and then 404', async () => {
    const count = { PK: `USER#${user}`, SK: 'WEBHOOKS', webhooks: 3 };
    await table.hold(webhookItem, count);
    expect(await remove()).toEqual(answer(200, webhookBody));
    expect(await table.list()).toEqual([{ ...count, webhooks: 2 }]);
    expect(await remove()).toMatchObject(notFound);
    expect(table.writes()).toBe(1);
  });

  it('answers 404 for somebody else’s, as if it were not there', async () => {
    const other = { ...webhookItem, PK: 'USER#306329' };
    await table.hold(other);
    expect(await remove()).toMatchObject(notFound);
    expect(await table.list()).toEqual([other]);
  });

  it('is one transaction, and 404 where the same request was first: on a mocked table', async () => {
    table.mock.on(GetCommand).resolves({ Item: webhookItem });
    table.mock
      .on(TransactWriteCommand)
      .resolvesOnce({})
      .rejects(canceled([conditionFailed(), passed]));
    expect((await remove()).statusCode).toBe(200);
    expect(await remove()).toMatchObject(notFound);
    const Update = { ExpressionAttributeValues: { ':added_webhooks': -1, ':gone': 1 } };
    expect(sentTransactions(table.mock)[0]).toMatchObject([{ Delete: {} }, { Update }]);
  });
});
