import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { startUpstream, type Upstream } from '#test/upstreams/start-upstream.ts';

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream(() => ({
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: '{}',
  }));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: upstream.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
});
afterAll(() => upstream.close());

const put = (table: Table) =>
  table.client.send(
    new PutCommand({ TableName: table.name, Item: { PK: 'A', SK: 'b', reason: undefined } }),
  );

describe('openTable', () => {
  it('sends an item without what it does not have', async () => {
    await put(openTable('slipway'));
    expect(JSON.parse(String(upstream.requests.at(-1)?.body))).toEqual({
      TableName: 'slipway',
      Item: { PK: { S: 'A' }, SK: { S: 'b' } },
    });
  });

  it('asks three times in all where the table fails', async () => {
    const before = upstream.requests.length;
    upstream.failNext(/POST/, { status: 500, body: '{}' }, 3);
    await expect(put(openTable('slipway'))).rejects.toThrow(TableUnavailableError);
    expect(upstream.requests).toHaveLength(before + 3);
  });

  it('asks again for an answer that does not come in time', async () => {
    const before = upstream.requests.length;
    upstream.failNext(/POST/, 'silence');
    await put(openTable('slipway', { attemptMs: 1_000 }));
    expect(upstream.requests).toHaveLength(before + 2);
  });

  it('waits less for an answer than a function has in all', async () => {
    const table = openTable('slipway');
    await put(table);
    const handler = Object(table.client.config.requestHandler);
    expect(handler.httpHandlerConfigs()).toMatchObject({
      connectionTimeout: 3_000,
      requestTimeout: 5_000,
      throwOnRequestTimeout: true,
    });
  });
});
