import type { Comparator, Condition, Operand } from '../parsing/syntax.ts';
import { type AttributeValue, type Item, setOf, typeOf } from '../values/attribute-value.ts';
import { compareValues, isEqual } from '../values/compare-values.ts';
import { findValue, givenValue, type Scope } from './scope.ts';

type Value = AttributeValue | undefined;

export function evaluateCondition(condition: Condition, item: Item, scope: Scope): boolean {
  const holds = (part: Condition) => evaluateCondition(part, item, scope);
  const find = (operand: Operand) => evaluateOperand(operand, item, scope);
  switch (condition.kind) {
    case 'and':
      return holds(condition.one) && holds(condition.other);
    case 'or':
      return holds(condition.one) || holds(condition.other);
    case 'not':
      return !holds(condition.condition);
    case 'compare':
      return compare(condition.comparator, find(condition.one), find(condition.other));
    case 'between': {
      const value = find(condition.operand);
      return (
        compare('>=', value, find(condition.low)) && compare('<=', value, find(condition.high))
      );
    }
    case 'in': {
      const value = find(condition.operand);
      return condition.choices.some((choice) => compare('=', value, find(choice)));
    }
    case 'exists':
      return (findValue(item, condition.path, scope) !== undefined) === condition.wanted;
    case 'attribute_type':
      return isOfType(find(condition.operand), find(condition.argument));
    case 'begins_with':
      return beginsWith(find(condition.operand), find(condition.argument));
    case 'contains':
      return contains(find(condition.operand), find(condition.argument));
  }
}

function evaluateOperand(operand: Operand, item: Item, scope: Scope): Value {
  if (operand.kind === 'value') return givenValue(scope, operand.name);
  const found = findValue(item, operand.path, scope);
  if (operand.kind === 'path' || found === undefined) return found;
  const size = sizeOf(found);
  return size === undefined ? undefined : { N: String(size) };
}

/** Every comparison with a missing value is false, except `<>`, which is true. */
function compare(comparator: Comparator, one: Value, other: Value): boolean {
  if (comparator === '<>') return !compare('=', one, other);
  if (one === undefined || other === undefined) return false;
  if (comparator === '=') return isEqual(one, other);
  const order = compareValues(one, other);
  if (order === undefined) return false;
  switch (comparator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function isOfType(value: Value, type: Value): boolean {
  return value !== undefined && type !== undefined && 'S' in type && typeOf(value) === type.S;
}

function beginsWith(value: Value, prefix: Value): boolean {
  if (!value || !prefix) return false;
  if ('S' in value && 'S' in prefix) return value.S.startsWith(prefix.S);
  if ('B' in value && 'B' in prefix) {
    const start = Buffer.from(prefix.B, 'base64');
    return Buffer.from(value.B, 'base64').subarray(0, start.length).equals(start);
  }
  return false;
}

function contains(value: Value, part: Value): boolean {
  if (!value || !part) return false;
  if ('S' in value) return 'S' in part && value.S.includes(part.S);
  if ('B' in value) {
    return 'B' in part && Buffer.from(value.B, 'base64').includes(Buffer.from(part.B, 'base64'));
  }
  if ('L' in value) return value.L.some((each) => isEqual(each, part));
  const set = setOf(value);
  if (set?.type === 'SS') return 'S' in part && set.members.includes(part.S);
  if (set?.type === 'NS') return 'N' in part && set.members.includes(part.N);
  return set?.type === 'BS' && 'B' in part && set.members.includes(part.B);
}

function sizeOf(value: AttributeValue): number | undefined {
  if ('S' in value) return value.S.length;
  if ('B' in value) return Buffer.byteLength(value.B, 'base64');
  if ('L' in value) return value.L.length;
  if ('M' in value) return Object.keys(value.M).length;
  return setOf(value)?.members.length;
}
