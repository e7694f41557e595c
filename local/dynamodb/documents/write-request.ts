import { marshall } from '@aws-sdk/util-dynamodb';
import { isRecord } from '../values/read-item.ts';

/** Where a request holds attributes, by the names of its parameters. */
const attributes = new Set(['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey']);
/** Where it holds other requests, or keys. */
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

/** A request of the document client, with its attributes as DynamoDB writes them. */
export function writeRequest(input: object): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined) request[name] = writeParameter(name, value);
  }
  return request;
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
