import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Answer, Json } from '../operations/answer.ts';
import { isRecord } from '../values/read-item.ts';
import { rememberItems } from './remember-items.ts';

/** Reads the text of an item, with plain values in the place of attributes. */
export type ReadItem = (text: string) => Readonly<Record<string, unknown>>;

export const readItem: ReadItem = (text) =>
  unmarshall(/"BS?":/.test(text) ? JSON.parse(text, readBytes) : JSON.parse(text));

/** For requests, which read the same lists again and again. */
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
