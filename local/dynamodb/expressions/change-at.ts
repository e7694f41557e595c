import type { Path } from '../parsing/syntax.ts';
import { invalid } from '../refusals/service-error.ts';
import type { AttributeValue, Item } from '../values/attribute-value.ts';

/** A copy with another value at a path, or with none. The first part names an attribute of the item. */
export function changeAt(item: Item, path: Path, value: AttributeValue | undefined): Item {
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
  // A place behind the end is the next one.
  if (changed === undefined) list.splice(part, 1);
  else if (part < list.length) list[part] = changed;
  else list.push(changed);
  return { L: list };
}

function invalidPath(): Error {
  return invalid('The document path provided in the update expression is invalid for update');
}
