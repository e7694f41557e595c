import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type Answer, Json } from '../operations/answer.ts';
import { isRecord } from '../values/read-item.ts';

/** Parses the text of an item and replaces attribute values by plain values. */
export type ReadItem = (text: string) => Readonly<Record<string, unknown>>;

export const readItem: ReadItem = (text) =>
  unmarshall(/"BS?":/.test(text) ? JSON.parse(text, readBytes) : JSON.parse(text));

/** Reads items for requests, which ask for the same lists repeatedly. */
export const readRememberedItem: ReadItem = rememberItems(readItem);

/** Converts an answer to the output of the document client. */
export function readAnswer(answer: Answer, read: ReadItem): Record<string, unknown> {
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
export function writeRequest(input: object): Record<string, unknown> {
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
