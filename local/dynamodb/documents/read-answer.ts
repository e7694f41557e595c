import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Answer, Json } from '../operations/answer.ts';
import { isRecord } from '../values/read-item.ts';
import { rememberItems } from './remember-items.ts';

/** An answer as the document client gives it: with plain values in the place of attributes. */
export function readAnswer(answer: Answer): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(answer)) {
    read[name] =
      name === 'Attributes' || name === 'LastEvaluatedKey'
        ? readAttributes(JSON.stringify(value))
        : readMember(value);
  }
  return read;
}

function readMember(value: unknown): unknown {
  if (value instanceof Json) return readAttributes(value.text);
  if (Array.isArray(value)) return value.map(readMember);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, readMember(member)]),
  );
}

const readAttributes = rememberItems((text) =>
  unmarshall(/"BS?":/.test(text) ? JSON.parse(text, readBytes) : JSON.parse(text)),
);

/** What is named as a type of bytes may also be an attribute of that name, which holds an object. */
function readBytes(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return Buffer.from(value, 'base64');
  const isSet = name === 'BS' && Array.isArray(value);
  return isSet ? value.map((each) => Buffer.from(String(each), 'base64')) : value;
}
