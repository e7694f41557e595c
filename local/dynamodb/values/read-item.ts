import {
  type AttributeValue,
  type Item,
  makeSet,
  type SetType,
  type TypeName,
  typeNames,
} from './attribute-value.ts';
import { normalizeNumber } from './decimal.ts';
import { invalid, invalidParameter, ServiceError } from './errors.ts';

const maxDepth = 32;

/** Validates attributes and normalizes their numbers. */
export function readItem(raw: unknown, depth = 0): Item {
  if (!isRecord(raw)) throw wrongType();
  if (depth > maxDepth) {
    throw invalid('Nesting Levels have exceeded supported limits');
  }
  const item: Record<string, AttributeValue> = {};
  for (const name in raw) item[name] = readValue(raw[name], depth);
  return item;
}

function readValue(raw: unknown, depth = 0): AttributeValue {
  if (!isRecord(raw)) throw wrongType();
  let type: TypeName | undefined;
  for (const name in raw) {
    const known = typeNames.find((each) => each === name);
    if (known === undefined || raw[name] === null || raw[name] === undefined) continue;
    if (type !== undefined) {
      throw invalid(
        'Supplied AttributeValue has more than one datatypes set, ' +
          'must contain exactly one of the supported datatypes',
      );
    }
    type = known;
  }
  if (type === undefined) {
    throw invalid(
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    );
  }
  return readTyped(type, raw[type], depth);
}

function readTyped(type: TypeName, value: unknown, depth: number): AttributeValue {
  switch (type) {
    case 'S':
      return { S: readText(value) };
    case 'N':
      return { N: normalizeNumber(readText(value)) };
    case 'B':
      return { B: readBase64(value) };
    case 'BOOL':
      return { BOOL: readBoolean(value) };
    case 'NULL':
      if (!readBoolean(value)) {
        throw invalidParameter('Null attribute value types must have the value of true');
      }
      return { NULL: true };
    case 'M':
      return { M: readItem(value, depth + 1) };
    case 'L':
      if (!Array.isArray(value)) throw wrongType();
      if (depth >= maxDepth) throw invalid('Nesting Levels have exceeded supported limits');
      return { L: value.map((each) => readValue(each, depth + 1)) };
    default:
      return readSet(type, value);
  }
}

const setWords = { SS: 'string set', NS: 'number set ', BS: 'binary set ' };

function readSet(type: SetType, value: unknown): AttributeValue {
  const given = value instanceof Set ? [...value] : value;
  if (!Array.isArray(given)) throw wrongType();
  if (given.length === 0) throw invalidParameter(`An ${setWords[type]} may not be empty`);
  const members = given.map((each: unknown) => {
    if (type === 'BS') return readBase64(each);
    return type === 'NS' ? normalizeNumber(readText(each)) : readText(each);
  });
  if (new Set(members).size < members.length) {
    const shown = type === 'NS' ? '' : ` [${members.join(', ')}]`;
    throw invalidParameter(`Input collection${shown} contains duplicates.`);
  }
  return makeSet(type, members);
}

function readText(value: unknown): string {
  if (typeof value !== 'string') throw wrongType();
  return value;
}

/** Accepts base64 text, or bytes from a client in the same process. */
function readBase64(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  const text = readText(value);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw wrongType();
  return text;
}

function readBoolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw wrongType();
  return value;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrongType(): ServiceError {
  return new ServiceError('SerializationException', 'A value has another type than its name says.');
}
