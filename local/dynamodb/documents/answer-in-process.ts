import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBServiceException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Connection, SentCommand } from '#lib/table/connection.ts';
import { translateFailure } from '#lib/table/translate-failures.ts';
import { runOperation, runTogether } from '../dispatch/run-operation.ts';
import { type Answer, Json } from '../operations/answer.ts';
import type { Engine } from '../store/engine.ts';
import { ServiceError } from '../values/errors.ts';
import { isRecord } from '../values/read-item.ts';

const operationsOf: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [CreateTableCommand, 'CreateTable'],
  [DescribeTableCommand, 'DescribeTable'],
  [UpdateTimeToLiveCommand, 'UpdateTimeToLive'],
  [BatchGetCommand, 'BatchGetItem'],
  [BatchWriteCommand, 'BatchWriteItem'],
  [DeleteCommand, 'DeleteItem'],
  [GetCommand, 'GetItem'],
  [PutCommand, 'PutItem'],
  [QueryCommand, 'Query'],
  [ScanCommand, 'Scan'],
  [TransactGetCommand, 'TransactGetItems'],
  [TransactWriteCommand, 'TransactWriteItems'],
  [UpdateCommand, 'UpdateItem'],
]);

/** Runs an operation by its name, or throws a ServiceError. */
export type RunOperation = (name: string, request: object) => Promise<Answer>;

/**
 * Lets clients in the engine's process call it directly. This skips the SDK's middleware stack,
 * which is rebuilt for each call and would serialize and sign requests that are never sent.
 */
export function answerInProcess(engine: Engine): Connection {
  return connectBy(
    (name, request) =>
      changesTables(name) ? runAlone(engine, name, request) : runTogether(engine, name, request),
    readRememberedItem,
  );
}

/**
 * Connects clients through any function that runs operations. Does not cache items by default,
 * because the lives of jobs read each state of an item only once.
 */
export function connectBy(run: RunOperation, read = readItem): Connection {
  const send = async (command: SentCommand): Promise<object> => {
    try {
      return await answerCommand(run, nameOperation(command), command.input, read);
    } catch (error) {
      throw translateFailure(error);
    }
  };
  return (client) => Object.assign(client, { send });
}

export function nameOperation(command: SentCommand): string {
  const kind = command.constructor;
  return operationsOf.get(kind) ?? kind.name;
}

/** Runs an operation with the input and output of a document client. */
export async function answerCommand(
  run: RunOperation,
  name: string,
  input: object,
  read: ReadItem,
): Promise<object> {
  try {
    return { $metadata: {}, ...readAnswer(await run(name, writeRequest(input)), read) };
  } catch (error) {
    throw error instanceof ServiceError ? describeError(error) : error;
  }
}

/** Operations on tables run alone, because they change the engine's cached table definitions. */
function changesTables(name: string): boolean {
  return /Table$|TimeToLive$/.test(name);
}

async function runAlone(engine: Engine, name: string, request: object): Promise<Answer> {
  await nextTurn();
  const outcome = runOperation(engine, name, request);
  if (outcome.refusal) throw outcome.refusal;
  return outcome.answer;
}

/** Callers tell these errors apart by class, and all others by name. */
const classes = {
  ConditionalCheckFailedException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
};

/** Converts a refusal to the error that the AWS SDK throws. */
function describeError({ type, status, message, details }: ServiceError): Error {
  const options = {
    name: type,
    message,
    $fault: status < 500 ? ('client' as const) : ('server' as const),
    $metadata: { httpStatusCode: status },
  };
  const known = Object.entries(classes).find(([name]) => name === type)?.[1];
  const error = known ? new known(options) : new DynamoDBServiceException(options);
  return Object.assign(error, JSON.parse(JSON.stringify(details)));
}

/** Parses the text of an item and replaces attribute values by plain values. */
type ReadItem = (text: string) => Readonly<Record<string, unknown>>;

export const readItem: ReadItem = (text) =>
  unmarshall(/"BS?":/.test(text) ? JSON.parse(text, readBytes) : JSON.parse(text));

/** Reads items for requests, which ask for the same lists repeatedly. */
export const readRememberedItem: ReadItem = rememberItems(readItem);

/** Converts an answer to the output of the document client. */
function readAnswer(answer: Answer, read: ReadItem): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      name === 'Attributes' || name === 'LastEvaluatedKey'
        ? read(JSON.stringify(value))
        : readMember(value, read),
    ]),
  );
}

function readMember(value: unknown, read: ReadItem): unknown {
  if (value instanceof Json) return read(value.text);
  if (Array.isArray(value)) return value.map((member) => readMember(member, read));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, readMember(member, read)]),
  );
}

/** Checks the type of the value too, because an attribute may be named B or BS itself. */
function readBytes(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return Buffer.from(value, 'base64');
  const isSet = name === 'BS' && Array.isArray(value);
  return isSet ? value.map((each) => Buffer.from(String(each), 'base64')) : value;
}

/** Limits the cache to some tens of megabytes. Job items are smaller than a kilobyte. */
const mostRemembered = 20_000;
const longestRemembered = 4_096;

/**
 * Caches parsed items by their text, because clients that follow jobs request the same list every
 * few seconds. The key is the whole text, so a changed item never hits a stale entry. Cached items
 * are shared between callers, so they are frozen.
 */
function rememberItems(read: ReadItem): ReadItem {
  const remembered = new Map<string, ReturnType<ReadItem>>();
  return (text) => {
    const known = remembered.get(text);
    if (known) return known;
    const item = read(text);
    if (text.length > longestRemembered) return item;
    remembered.set(text, freeze(item));
    // A Map iterates in insertion order.
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > mostRemembered) remembered.delete(oldest);
    return item;
  };
}

/** Skips bytes, which cannot be frozen. The service stores none. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

/** Parameters that hold attribute values. */
const attributes = new Set(['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey']);
/** Parameters that hold other requests. */
const nested = new Set([
  'TransactItems',
  'ConditionCheck',
  'Put',
  'Update',
  'Delete',
  'Get',
  'RequestItems',
  'PutRequest',
  'DeleteRequest',
]);

/** Converts a request of the document client to DynamoDB's JSON. */
function writeRequest(input: object): Record<string, unknown> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, writeParameter(name, value)]));
}

function writeParameter(name: string, value: unknown): unknown {
  if (name === 'RequestItems' && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([table, requests]) => [table, writeNested(requests)]),
    );
  }
  if (name === 'Keys' && Array.isArray(value)) return value.map(writeAttributes);
  if (attributes.has(name)) return writeAttributes(value);
  return nested.has(name) ? writeNested(value) : value;
}

function writeNested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writeNested);
  return isRecord(value) ? writeRequest(value) : value;
}

function writeAttributes(value: unknown): unknown {
  return marshall(value, { removeUndefinedValues: true });
}
