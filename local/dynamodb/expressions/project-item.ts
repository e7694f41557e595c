import type { Path } from '../parsing/syntax.ts';
import type { AttributeValue, Item } from '../values/attribute-value.ts';

/** A tree of path parts. An empty branch selects the whole value. */
type Branch = Map<string | number, Branch>;

/** Returns the part of an item at these paths. */
export function projectItem(item: Item, paths: readonly Path[]): Item {
  const root: Branch = new Map();
  for (const path of paths) {
    let branch = root;
    for (const part of path) {
      const next: Branch = branch.get(part) ?? new Map();
      branch.set(part, next);
      branch = next;
    }
  }
  return pickAttributes(item, root);
}

function pickAttributes(item: Item, branch: Branch): Item {
  const picked: Record<string, AttributeValue> = {};
  for (const [name, below] of branch) {
    const value = typeof name === 'string' && Object.hasOwn(item, name) ? item[name] : undefined;
    const found = value && pickWithin(value, below);
    if (found) picked[String(name)] = found;
  }
  return picked;
}

function pickWithin(value: AttributeValue, branch: Branch): AttributeValue | undefined {
  if (branch.size === 0) return value;
  if ('M' in value) {
    const picked = pickAttributes(value.M, branch);
    return Object.keys(picked).length > 0 ? { M: picked } : undefined;
  }
  if (!('L' in value)) return undefined;
  const picked = value.L.flatMap((each, index) => {
    const below = branch.get(index);
    return (below && pickWithin(each, below)) ?? [];
  });
  return picked.length > 0 ? { L: picked } : undefined;
}
