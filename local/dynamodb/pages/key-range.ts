import { givenValue, resolveName, type Scope } from '../expressions/scope.ts';
import type { Parsed } from '../parsing/parse-expression.ts';
import type { Comparator, Condition, Operand } from '../parsing/syntax.ts';
import type { Bound } from '../store/read-range.ts';
import type { KeyAttribute, TableDefinition } from '../store/table-definition.ts';
import { type AttributeValue, typeOf } from '../values/attribute-value.ts';
import { encodeKey, endOfPrefix } from '../values/encode-key.ts';
import { invalid, invalidParameter } from '../values/errors.ts';

export interface KeyRange {
  readonly hash: Buffer;
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
}

/** A condition on a key attribute. */
interface KeyTest {
  readonly name: string;
  readonly kind: Comparator | 'between' | 'begins_with';
  readonly values: readonly AttributeValue[];
}

/** Converts a key condition to a partition and a range within it. */
export function readKeyRange(
  { hash, range }: Pick<TableDefinition, 'hash' | 'range'>,
  { tree }: Parsed<Condition>,
  scope: Scope,
): KeyRange {
  const tests = listTests(tree, scope);
  const onHash = tests.filter(({ name }) => name === hash.name);
  const onRange = tests.filter(({ name }) => name === range?.name);
  const others = tests.length - onHash.length - onRange.length;
  const [partition] = onHash;
  if (!partition) throw invalid(`Query condition missed key schema element: ${hash.name}`);
  if (others > 0) {
    throw range && onRange.length === 0 && tests.length > 1
      ? invalid(`Query condition missed key schema element: ${range.name}`)
      : unsupported();
  }
  if (onHash.length > 1 || onRange.length > 1) {
    throw invalid('KeyConditionExpressions must only contain one condition per key');
  }
  if (partition.kind !== '=') throw unsupported();
  const key = encodeTested(hash, partition);
  const [test] = onRange;
  if (!key[0]) throw unsupported();
  return { hash: key[0], ...(test && range && readBounds(range, test)) };
}

function listTests(condition: Condition, scope: Scope): KeyTest[] {
  const test = (kind: KeyTest['kind'], operand: Operand, ...values: Operand[]): KeyTest[] => [
    { kind, name: readName(operand, scope), values: values.map((each) => readGiven(each, scope)) },
  ];
  switch (condition.kind) {
    case 'and':
      return [...listTests(condition.one, scope), ...listTests(condition.other, scope)];
    case 'compare': {
      const { comparator, one, other } = condition;
      if (comparator === '<>') throw invalid('Unsupported operator on KeyCondition: operator: <>');
      return one.kind === 'value'
        ? test(mirrored[comparator], other, one)
        : test(comparator, one, other);
    }
    case 'between':
      return test('between', condition.operand, condition.low, condition.high);
    case 'begins_with':
      return test('begins_with', condition.operand, condition.argument);
    case 'or':
    case 'not':
    case 'in':
      throw invalid(
        `Invalid operator used in KeyConditionExpression: ${condition.kind.toUpperCase()}`,
      );
    default:
      throw unsupported();
  }
}

const mirrored: Readonly<Record<Comparator, Comparator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function readName(operand: Operand, scope: Scope): string {
  if (operand.kind !== 'path' || operand.path.length !== 1) throw unsupported();
  const [name] = operand.path;
  if (typeof name !== 'string') throw unsupported();
  return resolveName(scope, name);
}

function readGiven(operand: Operand, scope: Scope): AttributeValue {
  if (operand.kind !== 'value') throw unsupported();
  return givenValue(scope, operand.name);
}

function encodeTested({ type }: KeyAttribute, { values }: KeyTest): Buffer[] {
  return values.map((value) => {
    if (typeOf(value) !== type) {
      throw invalidParameter('Condition parameter type does not match schema type');
    }
    const encoded = encodeKey(value);
    if (encoded.length === 0) {
      throw invalid(
        'One or more parameter values are not valid. The AttributeValue for a key attribute ' +
          'cannot contain an empty string value.',
      );
    }
    return encoded;
  });
}

function readBounds(attribute: KeyAttribute, test: KeyTest): Pick<KeyRange, 'from' | 'to'> {
  const [one, other] = encodeTested(attribute, test);
  if (!one) throw unsupported();
  const including = { bytes: one, inclusive: true };
  const excluding = { bytes: one, inclusive: false };
  switch (test.kind) {
    case '=':
      return { from: including, to: including };
    case '<':
      return { to: excluding };
    case '<=':
      return { to: including };
    case '>':
      return { from: excluding };
    case '>=':
      return { from: including };
    case 'between':
      return { from: including, to: other && { bytes: other, inclusive: true } };
    case 'begins_with': {
      if (attribute.type === 'N') throw unsupported();
      const end = endOfPrefix(one);
      return { from: including, to: end && { bytes: end, inclusive: false } };
    }
    default:
      throw unsupported();
  }
}

function unsupported(): Error {
  return invalid('Query key condition not supported');
}
