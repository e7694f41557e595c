import type { Attributes } from './define-item.ts';
import type { PrimaryKey } from './keys.ts';

/** A change of an item, by the names of its attributes. */
export interface Change {
  /** The new values. An undefined one removes its attribute. */
  readonly set?: Attributes;
  /** New values that the table computes, such as `list_append(stages, :moment)`. */
  readonly compute?: Readonly<Record<string, string>>;
  readonly add?: Readonly<Record<string, number>>;
  /** The values that attributes must have; undefined if an attribute must be missing. */
  readonly expect?: Attributes;
  /** Further conditions. They may name new values, such as `:due_at`, and those in `values`. */
  readonly when?: readonly string[];
  readonly values?: Attributes;
}

/** Writes the change of one item as an update, on its own or in a transaction. */
export function changeOf(Key: PrimaryKey, change: Change) {
  return { Key, ...writeChange(change) };
}

/** Writes a change as the expressions of an update. */
export function writeChange({ set = {}, compute = {}, add = {}, expect = {}, ...more }: Change) {
  const isSet = (name: string) => set[name] !== undefined;
  const conditions = [
    ...Object.entries(expect).map(([name, value]) =>
      value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :seen_${name}`,
    ),
    ...(more.when ?? []),
  ];
  const sets = [
    ...Object.keys(set)
      .filter(isSet)
      .map((name) => `#${name} = :${name}`),
    ...Object.entries(compute).map(([name, formula]) => `#${name} = ${formula}`),
  ];
  const removed = Object.keys(set).filter((name) => !isSet(name));
  const values = [
    ...Object.entries(set).map(([name, value]) => [`:${name}`, value]),
    ...Object.entries(add).map(([name, value]) => [`:added_${name}`, value]),
    ...Object.entries(expect).map(([name, value]) => [`:seen_${name}`, value]),
    ...Object.entries(more.values ?? {}),
  ].filter(([, value]) => value !== undefined);
  const names = Object.keys({ ...set, ...compute, ...add, ...expect });
  return {
    UpdateExpression: [
      ...listClause('SET', sets),
      ...listClause(
        'REMOVE',
        removed.map((name) => `#${name}`),
      ),
      ...listClause(
        'ADD',
        Object.keys(add).map((name) => `#${name} :added_${name}`),
      ),
    ].join(' '),
    ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
  };
}

function listClause(word: string, parts: readonly string[]): string[] {
  return parts.length > 0 ? [`${word} ${parts.join(', ')}`] : [];
}
