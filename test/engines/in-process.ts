import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describeTable } from '#local/create-table.ts';
import { isServiceError } from '#local/dynamodb/dynalite/service-error.ts';
import type { Engine } from '#local/dynamodb/engine/engine.ts';
import { openStore } from '#local/dynamodb/engine/open-store.ts';
import { createWriteQueue } from '#local/dynamodb/engine/write-queue.ts';
import { operations } from '#local/dynamodb/operations.ts';
import type { OpenedTable } from './open-table-on.ts';

/** What a client does for a request that travels, and for whoever reads its logs. */
const forTheWire = [
  'loggerMiddleware',
  'getUserAgentMiddleware',
  'recursionDetectionMiddleware',
  'hostHeaderMiddleware',
  'contentLengthMiddleware',
];

/**
 * The embedded table without its server: the same engine and the same client, and no socket in
 * between. A hundred thousand calls are a matter of seconds so, and not of minutes.
 */
export async function openInProcessTable(name: string): Promise<OpenedTable> {
  const store = await openStore(undefined);
  const engine: Engine = {
    store,
    queue: createWriteQueue(),
    now: Date.now,
    onCommit: () => undefined,
  };
  await call(engine, 'CreateTable', describeTable(name));
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    endpoint: 'http://in-process',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
    signer: { sign: async (request) => request },
    requestHandler: { handle: (request: Request) => answer(engine, request) },
  });
  for (const step of forTheWire) client.middlewareStack.remove(step);
  return {
    table: {
      name,
      client: DynamoDBDocumentClient.from(client, {
        marshallOptions: { removeUndefinedValues: true },
      }),
    },
    async close() {
      client.destroy();
      await engine.queue.drain();
      await store.db.close();
    },
  };
}

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

async function answer(engine: Engine, { headers, body }: Request) {
  const name = (headers['x-amz-target'] ?? '').replace('DynamoDB_20120810.', '');
  // As a socket would: whoever calls in a loop lets the others have their turn.
  await new Promise((resolve) => setImmediate(resolve));
  const parameters: Parameters = JSON.parse(new TextDecoder().decode(body));
  expectConsistent(name, parameters);
  try {
    return respond(200, await call(engine, name, parameters));
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return respond(error.statusCode, error.body);
  }
}

interface Parameters {
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: Readonly<Record<string, Parameters>>;
}

/** This engine is never behind, so that a read which may be would not be noticed by what it finds. */
function expectConsistent(name: string, parameters: Parameters): void {
  const reads =
    name === 'BatchGetItem'
      ? Object.values(parameters.RequestItems ?? {})
      : name === 'GetItem' || (name === 'Query' && parameters.IndexName === undefined)
        ? [parameters]
        : [];
  if (reads.some(({ ConsistentRead }) => ConsistentRead !== true)) {
    throw new Error(`${name} reads the table itself, and may be behind.`);
  }
}

function call(engine: Engine, name: string, body: object): Promise<unknown> {
  const operation = operations.get(name);
  if (!operation) throw new Error(`No such operation: ${name}`);
  return operation(engine, body);
}

function respond(statusCode: number, body: unknown) {
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return {
    response: { statusCode, headers, body: new TextEncoder().encode(JSON.stringify(body)) },
  };
}
