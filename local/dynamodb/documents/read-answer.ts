import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type Answer, Json } from '../operations/answer.ts';
import { isRecord } from '../values/read-item.ts';

/** Reads the text of an item, with plain values in the place of attributes. */
export type ReadItem = (text: string) => Readonly<Record<string, unknown>>;

export const readItem: ReadItem = (text) =>
  unmarshall(/"BS?":/.test(text) ? JSON.parse(text, readBytes) : JSON.parse(text));

/** Reads items for requests, which ask for the same lists repeatedly. */
export const readRememberedItem: ReadItem = rememberItems(readItem);

/** An answer as the document client gives it. */
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

/** What is named as a type of bytes may also be an attribute of that name, which holds an object. */
function readBytes(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return Buffer.from(value, 'base64');
  const isSet = name === 'BS' && Array.isArray(value);
  return isSet ? value.map((each) => Buffer.from(String(each), 'base64')) : value;
}

/** Some tens of megabytes at most: items of jobs have less than a kilobyte. */
const mostRemembered = 20_000;
const longestRemembered = 4_096;

type Item = Readonly<Record<string, unknown>>;

/**
 * Reads a text once that comes again and again: whoever follows jobs asks for the same list every
 * few seconds. The same text means the same item, so nothing has to be forgotten when it changes.
 * What is remembered is shared, and frozen.
 */
function rememberItems(read: (text: string) => Item): (text: string) => Item {
  const remembered = new Map<string, Item>();
  return (text) => {
    const known = remembered.get(text);
    if (known) return known;
    const item = read(text);
    if (text.length > longestRemembered) return item;
    remembered.set(text, freeze(item));
    // A map keeps the order in which its keys came.
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > mostRemembered) remembered.delete(oldest);
    return item;
  };
}

/** Bytes cannot be frozen; nothing that the service stores has any. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

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
