import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tableDefinition } from '#lib/table/definition.ts';
import { partitionPatterns } from '#lib/table/keys.ts';
import { describeTable } from '#local/create-table.ts';
import { renderAnswer } from '#local/dynamodb/operations/answer.ts';
import { operations } from '#local/dynamodb/operations.ts';
import { ServiceError } from '#local/dynamodb/refusals/service-error.ts';
import type { Engine } from '#local/dynamodb/store/engine.ts';
import { openEngine } from '#local/dynamodb/store/open-engine.ts';
import type { OpenedTable } from './open-table-on.ts';

/** What a client does for a request that travels, and for whoever reads its logs. */
const forTheWire = [
  'loggerMiddleware',
  'getUserAgentMiddleware',
  'recursionDetectionMiddleware',
  'hostHeaderMiddleware',
  'contentLengthMiddleware',
  'serializerMiddleware',
  'retryMiddleware',
  'httpSigningMiddleware',
  'deserializerMiddleware',
];

/**
 * The embedded table without its server: the same engine and the same client, and no socket in
 * between. A hundred thousand calls are a matter of seconds so, and not of minutes.
 */
export async function openInProcessTable(name: string): Promise<OpenedTable> {
  const engine = openEngine();
  call(engine, 'CreateTable', describeTable(name));
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    endpoint: 'http://in-process',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  for (const step of forTheWire) client.middlewareStack.remove(step);
  // By these two names the documents' own steps find their places.
  client.middlewareStack.add((next) => next, { name: 'serializerMiddleware', step: 'serialize' });
  client.middlewareStack.add(
    (_, { commandName = '' }) =>
      async ({ input }) => ({
        response: {},
        output: { $metadata: {}, ...(await answer(engine, commandName, input)) },
      }),
    { name: 'deserializerMiddleware', step: 'deserialize' },
  );
  return {
    table: {
      name,
      client: DynamoDBDocumentClient.from(client, {
        marshallOptions: { removeUndefinedValues: true },
      }),
    },
    async close() {
      client.destroy();
      engine.database.close();
    },
  };
}

async function answer(engine: Engine, commandName: string, input: object): Promise<object> {
  // As a socket would: whoever calls in a loop lets the others have their turn.
  await new Promise((resolve) => setImmediate(resolve));
  const name = commandName.replace(/Command$/, '');
  expectConsistent(name, input);
  try {
    return call(engine, name, copy(input));
  } catch (error) {
    throw error instanceof ServiceError ? translateError(error.status, error.body) : error;
  }
}

/** What the engine and its caller hold is never the same object. */
function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

/** The errors that anybody tells apart by their class; the others have a name. */
const errorClasses = { ConditionalCheckFailedException, TransactionCanceledException };

function translateError(httpStatusCode: number, body: Readonly<Record<string, unknown>>): Error {
  const { __type: type, message, Message, ...fields } = copy(body);
  const name = String(type).replace(/^.*#/, '');
  const options = {
    name,
    message: String(message ?? Message ?? name),
    $fault: httpStatusCode < 500 ? ('client' as const) : ('server' as const),
    $metadata: { httpStatusCode },
  };
  const known = Object.entries(errorClasses).find(([each]) => each === name)?.[1];
  const error = known ? new known(options) : new DynamoDBServiceException(options);
  return Object.assign(error, fields);
}

interface Parameters {
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: Readonly<Record<string, Parameters>>;
  readonly Keys?: readonly { readonly PK: { readonly S: string } }[];
}

/** What was last seen of a system may be a moment old: nothing is decided by it. */
function isOfSystems({ Keys = [] }: Parameters): boolean {
  const prefix = partitionPatterns.systems.replace('*', '');
  return Keys.length > 0 && Keys.every(({ PK }) => PK.S.startsWith(prefix));
}

/** The table itself and its local indexes; a global index is always behind. */
function isConsistentIndex(index: string | undefined): boolean {
  return index === undefined || tableDefinition.localIndexes.some((each) => each === index);
}

/** This engine is never behind, so that a read which may be would not be noticed by what it finds. */
function expectConsistent(name: string, parameters: Parameters): void {
  const reads =
    name === 'BatchGetItem'
      ? Object.values(parameters.RequestItems ?? {})
      : name === 'GetItem' || (name === 'Query' && isConsistentIndex(parameters.IndexName))
        ? [parameters]
        : [];
  if (reads.some((read) => read.ConsistentRead !== true && !isOfSystems(read))) {
    throw new Error(`${name} reads the table itself, and may be behind.`);
  }
}

function call(engine: Engine, name: string, body: object): object {
  const operation = operations.get(name);
  if (!operation) throw new Error(`No such operation: ${name}`);
  return JSON.parse(renderAnswer(operation(engine, body)));
}
