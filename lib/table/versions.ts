import { dataSteps, listUpSteps, type StoredItem, type UpSteps } from './data-steps.ts';

export const upSteps = listUpSteps(dataSteps);

/**
 * Brings an item of an earlier version up to the newest, the only one that the rest of the code
 * knows. An object without type and version is not a whole item but a part from an index.
 */
export function bringUp<Stored>(stored: Stored, upSteps: UpSteps): Stored | StoredItem {
  if (!isVersioned(stored)) return stored;
  const steps = upSteps.get(stored.type) ?? [];
  return steps
    .slice(stored.schema_version - 1)
    .reduce<StoredItem>(
      (item, step, index) => ({ ...step(item), schema_version: stored.schema_version + index + 1 }),
      stored,
    );
}

/** Explains that a later release wrote the item. Returns undefined if that is not so. */
export function explainNewer(stored: unknown, upSteps: UpSteps): string | undefined {
  if (!isVersioned(stored)) return undefined;
  const newest = (upSteps.get(stored.type)?.length ?? 0) + 1;
  return stored.schema_version > newest
    ? `version ${stored.schema_version} of ${stored.type} was written by a later release, this one reads up to ${newest}`
    : undefined;
}

interface VersionedItem extends StoredItem {
  readonly type: string;
  readonly schema_version: number;
}

function isVersioned(stored: unknown): stored is VersionedItem {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'type' in stored &&
    typeof stored.type === 'string' &&
    'schema_version' in stored &&
    typeof stored.schema_version === 'number'
  );
}
