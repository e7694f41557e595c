import type { Parsed } from '../parsing/parse-expression.ts';
import type { Path } from '../parsing/syntax.ts';
import type { AttributeValue, Item } from '../values/attribute-value.ts';
import { invalid } from '../values/errors.ts';
import { readItem } from '../values/read-item.ts';

/** The values of a request's placeholders. */
export interface Scope {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, AttributeValue>>;
}

interface Placeholders {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | null | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Resolves the placeholders of a request. Refuses undefined and unused ones, as DynamoDB does. */
export function readScope(
  { ExpressionAttributeNames, ExpressionAttributeValues }: Placeholders,
  expressions: readonly (Parsed<unknown> | undefined)[],
): Scope {
  const parsed = expressions.filter((each) => each !== undefined);
  const names = readPlaceholders('ExpressionAttributeNames', ExpressionAttributeNames, parsed);
  const values = readPlaceholders('ExpressionAttributeValues', ExpressionAttributeValues, parsed);
  const scope = { names, values: readItem(values) };
  for (const each of parsed) refuseUndefined(each, scope);
  refuseUnused('ExpressionAttributeNames', scope.names, parsed, ({ names }) => names);
  refuseUnused('ExpressionAttributeValues', scope.values, parsed, ({ values }) => values);
  return scope;
}

function readPlaceholders<Value>(
  parameter: string,
  raw: Readonly<Record<string, Value>> | null | undefined,
  expressions: readonly unknown[],
): Readonly<Record<string, Value>> {
  if (raw == null) return {};
  if (expressions.length === 0) {
    throw invalid(`${parameter} can only be specified when using expressions`);
  }
  if (Object.keys(raw).length === 0) throw invalid(`${parameter} must not be empty`);
  return raw;
}

function refuseUndefined({ expression, names, values }: Parsed<unknown>, scope: Scope): void {
  for (const name of names) {
    if (Object.hasOwn(scope.names, name)) continue;
    throw invalid(
      `Invalid ${expression}: An expression attribute name used in the document path is not ` +
        `defined; attribute name: ${name}`,
    );
  }
  for (const name of values) {
    if (Object.hasOwn(scope.values, name)) continue;
    throw invalid(
      `Invalid ${expression}: An expression attribute value used in expression is not defined; ` +
        `attribute value: ${name}`,
    );
  }
}

function refuseUnused(
  parameter: string,
  given: Readonly<Record<string, unknown>>,
  expressions: readonly Parsed<unknown>[],
  usedBy: (parsed: Parsed<unknown>) => ReadonlySet<string>,
): void {
  const unused = Object.keys(given).filter(
    (name) => !expressions.some((each) => usedBy(each).has(name)),
  );
  if (unused.length === 0) return;
  throw invalid(
    `Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`,
  );
}

export function resolveName({ names }: Scope, name: string): string {
  return name.startsWith('#') ? (names[name] ?? name) : name;
}

export function resolvePath(scope: Scope, path: Path): Path {
  return path.map((part) => (typeof part === 'string' ? resolveName(scope, part) : part));
}

/** Returns the value of a placeholder. `readScope` has checked that it is defined. */
export function givenValue({ values }: Scope, name: string): AttributeValue {
  const value = values[name];
  if (!value) throw invalid(`The value ${name} is not defined.`);
  return value;
}

/** Returns the value at a path of an item. */
export function findValue(item: Item, path: Path, scope: Scope): AttributeValue | undefined {
  let found: AttributeValue | undefined = { M: item };
  for (const part of path) {
    if (found === undefined) return undefined;
    found = stepInto(found, typeof part === 'string' ? resolveName(scope, part) : part);
  }
  return found;
}

function stepInto(value: AttributeValue, part: string | number): AttributeValue | undefined {
  if (typeof part === 'number') return 'L' in value ? value.L[part] : undefined;
  return 'M' in value && Object.hasOwn(value.M, part) ? value.M[part] : undefined;
}
