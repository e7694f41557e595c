import type { StoredItem, UpSteps } from './up-steps.ts';

/**
 * An item of an earlier version as one of the newest, which alone is known beyond here. Whoever
 * writes it back writes the newest. What has no type and version is not an item of its own, but a
 * part that an index holds.
 */
export function bringUp(stored: unknown, upSteps: UpSteps): unknown {
  if (!isVersioned(stored)) return stored;
  const steps = upSteps.get(stored.type) ?? [];
  return steps
    .slice(stored.schema_version - 1)
    .reduce<StoredItem>(
      (item, step, index) => ({ ...step(item), schema_version: stored.schema_version + index + 1 }),
      stored,
    );
}

/** How far an item is ahead of what this release reads, in words; nothing where it is not. */
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
