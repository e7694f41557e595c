import { applyUpdate } from '../expressions/apply-update.ts';
import { evaluateCondition } from '../expressions/evaluate-condition.ts';
import type { Engine } from '../store/engine.ts';
import { encodeItemKey, type StoredItem } from '../store/item-store.ts';
import { type Change, type ChangedBy, keyNames, pickNames } from '../store/table-definition.ts';
import type { Item } from '../values/attribute-value.ts';
import { invalid, ServiceError } from '../values/errors.ts';
import { measureItem } from '../values/measure-item.ts';
import { checkIndexKeys } from './check-key.ts';
import { maxItemBytes, type Write } from './plan-write.ts';

/** A change that was computed but not yet stored. */
export interface PlannedChange extends Change {
  readonly stored: (StoredItem & { readonly item: Item }) | undefined;
}

export class ConditionFailedError extends ServiceError {
  readonly shownItem: Item | undefined;

  constructor(shownItem: Item | undefined) {
    super('ConditionalCheckFailedException', 'The conditional request failed', {
      ...(shownItem && { Item: shownItem }),
    });
    this.shownItem = shownItem;
  }
}

/** Computes the change of a write to the stored item. Throws if its condition fails. */
export function evaluateWrite({ items }: Engine, write: Write): PlannedChange {
  const { table, key, condition, scope, showsOld } = write;
  const found = items.find(table, encodeItemKey(table, key));
  const stored: PlannedChange['stored'] = found && { ...found, item: JSON.parse(found.text) };
  const before = stored?.item;
  if (condition && !evaluateCondition(condition.tree, before ?? {}, scope)) {
    throw new ConditionFailedError(showsOld ? before : undefined);
  }
  return { table, stored, before, after: decideItem(write, before) };
}

function decideItem({ table, key, scope, action }: Write, before: Item | undefined) {
  switch (action.kind) {
    case 'put':
      return action.item;
    case 'delete':
      return undefined;
    case 'check':
      return before;
    case 'update': {
      const item = before ?? pickNames(key, keyNames(table));
      const updated = action.update ? applyUpdate(action.update.tree, item, scope) : item;
      checkIndexKeys(table, updated);
      if (measureItem(updated) > maxItemBytes) {
        throw invalid('Item size to update has exceeded the maximum allowed size');
      }
      return updated;
    }
  }
}

/** Stores changes and adds them to the stream. The caller opens the transaction. */
export function makeChanges(
  { items, stream }: Engine,
  changes: readonly PlannedChange[],
  by: ChangedBy = 'request',
): void {
  for (const { table, stored, before, after } of changes) {
    if (after) {
      if (after !== before) items.save(table, stored, after);
    } else if (stored) {
      items.delete(table, stored);
    }
  }
  stream?.append(changes, by);
}
