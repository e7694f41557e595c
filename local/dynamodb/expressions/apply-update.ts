import type { Assigned, ExpressionName, Path, Update } from '../parsing/syntax.ts';
import { type AttributeValue, type Item, makeSet, setOf } from '../values/attribute-value.ts';
import { addNumbers } from '../values/decimal.ts';
import { invalid } from '../values/errors.ts';
import { findValue, givenValue, resolvePath, type Scope } from './scope.ts';

/** Returns the item after an update. All clauses read the item as it was before the update. */
export function applyUpdate(update: Update, item: Item, scope: Scope): Item {
  const assigned = update.set.map(({ path, to }) => ({ path, value: evaluate(to, item, scope) }));
  const added = update.add.map(({ path, value }) => ({
    path,
    value: add(findValue(item, path, scope), givenValue(scope, value)),
  }));
  const deleted = update.delete.map(({ path, value }) => ({
    path,
    value: subtractSet(findValue(item, path, scope), givenValue(scope, value)),
  }));
  let changed = item;
  for (const { path, value } of [...assigned, ...added, ...deleted]) {
    changed = changeAt(changed, resolvePath(scope, path), value);
  }
  // Start at the end, because a removal shifts the later elements of a list.
  for (const path of update.remove.toSorted((a, b) => lastIndex(b) - lastIndex(a))) {
    changed = changeAt(changed, resolvePath(scope, path), undefined);
  }
  return changed;
}

/** Lists the paths that an update changes, with placeholders resolved. */
export function listPaths(update: Update, scope: Scope): Path[] {
  const { set, remove, add, delete: deleted } = update;
  const changes = [...set, ...remove.map((path) => ({ path })), ...add, ...deleted];
  return changes.map(({ path }) => resolvePath(scope, path));
}

function lastIndex(path: Path): number {
  const last = path.at(-1);
  return typeof last === 'number' ? last : -1;
}

function evaluate(assigned: Assigned, item: Item, scope: Scope): AttributeValue {
  switch (assigned.kind) {
    case 'value':
      return givenValue(scope, assigned.name);
    case 'path':
    case 'size': {
      const found = findValue(item, assigned.path, scope);
      if (found) return found;
      throw invalid(
        'The provided expression refers to an attribute that does not exist in the item',
      );
    }
    case 'if_not_exists':
      return findValue(item, assigned.path, scope) ?? evaluate(assigned.otherwise, item, scope);
    default: {
      const { kind } = assigned;
      const one = evaluate(assigned.one, item, scope);
      const other = evaluate(assigned.other, item, scope);
      if (kind === 'list_append' && 'L' in one && 'L' in other)
        return { L: [...one.L, ...other.L] };
      if (kind === 'list_append' || !('N' in one) || !('N' in other)) throw wrongOperand();
      return { N: addNumbers(one.N, other.N, kind === 'plus' ? 1n : -1n) };
    }
  }
}

function add(current: AttributeValue | undefined, more: AttributeValue): AttributeValue {
  if (!current) return more;
  if ('N' in current && 'N' in more) return { N: addNumbers(current.N, more.N) };
  const [set, added] = [setOf(current), setOf(more)];
  if (!set || set.type !== added?.type) throw wrongOperand();
  return makeSet(set.type, [...new Set([...set.members, ...added.members])]);
}

/** Returns undefined if no members remain, because DynamoDB has no empty sets. */
function subtractSet(
  current: AttributeValue | undefined,
  less: AttributeValue,
): AttributeValue | undefined {
  if (!current) return undefined;
  const [set, removed] = [setOf(current), setOf(less)];
  if (!set || set.type !== removed?.type) throw wrongOperand();
  const left = set.members.filter((member) => !removed.members.includes(member));
  return left.length > 0 ? makeSet(set.type, left) : undefined;
}

function wrongOperand(): Error {
  return invalid('An operand in the update expression has an incorrect data type');
}

/**
 * Copies the item with a new value at the path. Removes the attribute if the value is undefined.
 */
function changeAt(item: Item, path: Path, value: AttributeValue | undefined): Item {
  const [name, ...rest] = path;
  if (typeof name !== 'string') throw invalidPath();
  const changed = rest.length === 0 ? value : changeWithin(item[name], rest, value);
  if (changed === undefined) {
    const { [name]: _, ...others } = item;
    return others;
  }
  return { ...item, [name]: changed };
}

function changeWithin(
  container: AttributeValue | undefined,
  path: Path,
  value: AttributeValue | undefined,
): AttributeValue {
  const [part, ...rest] = path;
  if (container === undefined || part === undefined) throw invalidPath();
  if (typeof part === 'string') {
    if (!('M' in container)) throw invalidPath();
    return { M: changeAt(container.M, path, value) };
  }
  if (!('L' in container)) throw invalidPath();
  const list = [...container.L];
  const changed = rest.length === 0 ? value : changeWithin(list[part], rest, value);
  // DynamoDB appends if the index is past the end of the list.
  if (changed === undefined) list.splice(part, 1);
  else if (part < list.length) list[part] = changed;
  else list.push(changed);
  return { L: list };
}

function invalidPath(): Error {
  return invalid('The document path provided in the update expression is invalid for update');
}

/** Refuses paths that contain one another, or that treat the same value as both list and map. */
export function refuseOverlap(expression: ExpressionName, paths: readonly Path[]): void {
  for (const [place, one] of paths.entries()) {
    for (const other of paths.slice(place + 1)) {
      const relation = relate(one, other);
      if (relation === undefined) continue;
      throw invalid(
        `Invalid ${expression}: Two document paths ${relation} with each other; ` +
          'must remove or rewrite one of these paths; ' +
          `path one: ${showPath(one)}, path two: ${showPath(other)}`,
      );
    }
  }
}

function relate(one: Path, other: Path): 'overlap' | 'conflict' | undefined {
  const common = Math.min(one.length, other.length);
  for (let place = 0; place < common; place += 1) {
    if (one[place] === other[place]) continue;
    return typeof one[place] === typeof other[place] ? undefined : 'conflict';
  }
  return 'overlap';
}

export function showPath(path: Path): string {
  return `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;
}
