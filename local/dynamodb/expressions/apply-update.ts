import type { Assigned, Path, Update } from '../parsing/syntax.ts';
import { invalid } from '../refusals/service-error.ts';
import { type AttributeValue, type Item, makeSet, setOf } from '../values/attribute-value.ts';
import { addNumbers, subtractNumbers } from '../values/decimal.ts';
import { changeAt } from './change-at.ts';
import { findValue, givenValue, resolvePath, type Scope } from './scope.ts';

/** The item after an update. Whatever is read is read of the item before. */
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
  const removed = update.remove.map((path) => ({ path, value: undefined }));
  let changed = item;
  for (const { path, value } of [...assigned, ...added, ...deleted]) {
    changed = changeAt(changed, resolvePath(scope, path), value);
  }
  // From behind: what goes from a list must not move what is still to go.
  for (const { path, value } of removed.toSorted((a, b) => lastIndex(b.path) - lastIndex(a.path))) {
    changed = changeAt(changed, resolvePath(scope, path), value);
  }
  return changed;
}

/** What an update changes, by the names that the item has. */
export function listPaths(update: Update, scope: Scope): Path[] {
  return [
    ...update.set.map(({ path }) => path),
    ...update.remove,
    ...update.add.map(({ path }) => path),
    ...update.delete.map(({ path }) => path),
  ].map((path) => resolvePath(scope, path));
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
    case 'list_append': {
      const one = evaluate(assigned.one, item, scope);
      const other = evaluate(assigned.other, item, scope);
      if (!('L' in one) || !('L' in other)) throw wrongOperand();
      return { L: [...one.L, ...other.L] };
    }
    case 'plus':
    case 'minus': {
      const one = evaluate(assigned.one, item, scope);
      const other = evaluate(assigned.other, item, scope);
      if (!('N' in one) || !('N' in other)) throw wrongOperand();
      const compute = assigned.kind === 'plus' ? addNumbers : subtractNumbers;
      return { N: compute(one.N, other.N) };
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

/** An empty set cannot be: the attribute goes with its last member. */
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
