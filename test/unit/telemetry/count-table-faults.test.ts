import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { countTableFaults } from '#lib/telemetry/count-table-faults.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** The metrics that are written while a table answers a read with these, one after the other. */
async function countWhile(answers: readonly Answer[]): Promise<string[]> {
  let asked = 0;
  const server = createServer((_request, response) => {
    const { status, body } = answers[Math.min(asked, answers.length - 1)]!;
    asked += 1;
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    maxAttempts: 2,
  });
  const documents = DynamoDBDocumentClient.from(client);
  countTableFaults(documents);
  countTableFaults(documents);
  const log = captureLog();
  await documents.send(new GetCommand({ TableName: 't', Key: { PK: 'a' } })).catch(() => undefined);
  client.destroy();
  server.close();
  return log.flatMap((line) => {
    const { _aws } = JSON.parse(line);
    return _aws.CloudWatchMetrics[0].Metrics.map(({ Name }: { Name: string }) => Name);
  });
}

const fine: Answer = { status: 200, body: {} };
const failing = (type: string, rest: object = {}, status = 400): Answer => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, ...rest },
});

describe('what the table refused or failed', () => {
  it('is not counted where it answers', async () => {
    expect(await countWhile([fine])).toEqual([]);
  });

  it('is counted also if a repetition succeeds, and once however often the client is watched', async () => {
    const throttled = failing('ProvisionedThroughputExceededException');
    expect(await countWhile([throttled, fine])).toEqual(['TableThrottles']);
  });

  it('is counted for each try', async () => {
    expect(await countWhile([failing('InternalServerError', {}, 500)])).toEqual([
      'TableErrors',
      'TableErrors',
    ]);
  });

  it('is counted where one item of a transaction was too much', async () => {
    const CancellationReasons = [{ Code: 'None' }, { Code: 'ThrottlingError' }];
    const cancelled = failing('TransactionCanceledException', { CancellationReasons });
    expect(await countWhile([cancelled])).toEqual(['TableThrottles']);
  });

  it('is no refusal that the service itself asked for', async () => {
    const CancellationReasons = [{ Code: 'ConditionalCheckFailed' }];
    const cancelled = failing('TransactionCanceledException', { CancellationReasons });
    expect(await countWhile([cancelled])).toEqual([]);
    expect(await countWhile([failing('ValidationException')])).toEqual([]);
  });
});
