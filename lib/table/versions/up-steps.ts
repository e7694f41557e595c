export type StoredItem = Readonly<Record<string, unknown>>;

/** Makes an item of one version one of the next. Pure: it knows nothing but the item. */
export type UpStep = (item: StoredItem) => StoredItem;

/** By type of item: from version 1 to 2, from 2 to 3, and so on. */
export type UpSteps = ReadonlyMap<string, readonly UpStep[]>;

/**
 * Every type has had one version so far: what was added since then is optional, and needs no step.
 * When one is needed, how it is added and when it may go: docs/data-model.md.
 */
export const upSteps: UpSteps = new Map();
