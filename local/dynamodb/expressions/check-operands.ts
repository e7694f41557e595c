import type { Parsed } from '../parsing/parse-expression.ts';
import type { Condition, Operand, Update } from '../parsing/syntax.ts';
import {
  type AttributeValue,
  type TypeName,
  typeNames,
  typeOf,
} from '../values/attribute-value.ts';
import { compareValues } from '../values/compare-values.ts';
import { invalid } from '../values/errors.ts';
import { listPaths, refuseOverlap, showPath } from './apply-update.ts';
import { givenValue, resolvePath, type Scope } from './scope.ts';

const longNames: Readonly<Record<TypeName, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  M: 'MAP',
  L: 'LIST',
  SS: 'SS',
  NS: 'NS',
  BS: 'BS',
};
const ordered: readonly TypeName[] = ['S', 'N', 'B'];

/** Refuses operand types that are invalid for an operator, whatever the item contains. */
export function checkCondition({ expression, tree }: Parsed<Condition>, scope: Scope): void {
  const refuse = (reason: string) => invalid(`Invalid ${expression}: ${reason}`);
  const literal = (operand: Operand) =>
    operand.kind === 'value' ? givenValue(scope, operand.name) : undefined;
  const require = (operator: string, types: readonly TypeName[], operand: Operand) => {
    const value = literal(operand);
    if (value && !types.includes(typeOf(value))) {
      throw refuse(
        'Incorrect operand type for operator or function; ' +
          `operator or function: ${operator}, operand type: ${typeOf(value)}`,
      );
    }
  };
  const distinguish = (operator: string, first: Operand, ...others: readonly Operand[]) => {
    if (first.kind !== 'path') return;
    const shown = showPath(resolvePath(scope, first.path));
    const isSame = (other: Operand) =>
      other.kind === 'path' && showPath(resolvePath(scope, other.path)) === shown;
    if (!others.some(isSame)) return;
    throw refuse(
      'The first operand must be distinct from the remaining operands for this operator or ' +
        `function; operator: ${operator}, first operand: ${shown}`,
    );
  };
  const check = (condition: Condition): void => {
    switch (condition.kind) {
      case 'and':
      case 'or':
        check(condition.one);
        check(condition.other);
        return;
      case 'not':
        check(condition.condition);
        return;
      case 'compare':
        distinguish(condition.comparator, condition.one, condition.other);
        if (condition.comparator === '=' || condition.comparator === '<>') return;
        require(condition.comparator, ordered, condition.one);
        require(condition.comparator, ordered, condition.other);
        return;
      case 'in':
        distinguish('IN', condition.operand, ...condition.choices);
        return;
      case 'between':
        distinguish('BETWEEN', condition.operand, condition.low, condition.high);
        for (const operand of [condition.operand, condition.low, condition.high]) {
          require('BETWEEN', ordered, operand);
        }
        checkBounds(literal(condition.low), literal(condition.high), refuse);
        return;
      case 'contains':
        distinguish('contains', condition.operand, condition.argument);
        return;
      case 'begins_with':
        distinguish('begins_with', condition.operand, condition.argument);
        require('begins_with', ['S', 'B'], condition.argument);
        return;
      case 'attribute_type':
        require('attribute_type', ['S'], condition.argument);
        checkTypeName(literal(condition.argument), refuse);
        return;
    }
  };
  check(tree);
}

function checkBounds(
  low: AttributeValue | undefined,
  high: AttributeValue | undefined,
  refuse: (reason: string) => Error,
): void {
  if (!low || !high) return;
  const order = compareValues(low, high);
  const shown =
    `lower bound operand: AttributeValue: ${show(low)}, ` +
    `upper bound operand: AttributeValue: ${show(high)}`;
  const rule =
    order === undefined
      ? 'same data type for lower and upper bounds'
      : 'upper bound to be greater than or equal to lower bound';
  if (order === undefined || order > 0) {
    throw refuse(`The BETWEEN operator requires ${rule}; ${shown}`);
  }
}

function show(value: AttributeValue): string {
  const type = typeOf(value);
  return `{${type}:${Object.values(value)[0]}}`;
}

function checkTypeName(type: AttributeValue | undefined, refuse: (reason: string) => Error): void {
  if (!type || !('S' in type) || typeNames.some((name) => name === type.S)) return;
  throw refuse(`Invalid attribute type name found; type: ${type.S}, valid types: {${typeNames}}`);
}

/** Checks that ADD gets numbers or sets, DELETE gets sets, and no two paths overlap. */
export function checkUpdate({ tree }: Parsed<Update>, scope: Scope): void {
  const require = (operator: 'ADD' | 'DELETE', types: readonly TypeName[], name: string) => {
    const type = typeOf(givenValue(scope, name));
    if (types.includes(type)) return;
    throw invalid(
      'Invalid UpdateExpression: Incorrect operand type for operator or function; ' +
        `operator: ${operator}, operand type: ${longNames[type]}, ` +
        `typeSet: ALLOWED_FOR_${operator}_OPERAND`,
    );
  };
  refuseOverlap('UpdateExpression', listPaths(tree, scope));
  for (const { value } of tree.add) require('ADD', ['N', 'SS', 'NS', 'BS'], value);
  for (const { value } of tree.delete) require('DELETE', ['SS', 'NS', 'BS'], value);
}
