/** A value in DynamoDB's JSON: an object with one member, named after its type. */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: boolean }
  | { readonly M: Item }
  | { readonly L: readonly AttributeValue[] }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] };

export type Item = Readonly<Record<string, AttributeValue>>;

export const typeNames = ['S', 'N', 'B', 'BOOL', 'NULL', 'M', 'L', 'SS', 'NS', 'BS'] as const;
export type TypeName = (typeof typeNames)[number];
export type SetType = 'SS' | 'NS' | 'BS';

export function typeOf(value: AttributeValue): TypeName {
  // Most values are strings or numbers.
  if ('S' in value) return 'S';
  if ('N' in value) return 'N';
  return typeNames.find((name) => name in value) ?? 'NULL';
}

/** Returns the members and type of a set, or undefined if the value is not a set. */
export function setOf(
  value: AttributeValue,
): { readonly type: SetType; readonly members: readonly string[] } | undefined {
  if ('SS' in value) return { type: 'SS', members: value.SS };
  if ('NS' in value) return { type: 'NS', members: value.NS };
  if ('BS' in value) return { type: 'BS', members: value.BS };
  return undefined;
}

export function makeSet(type: SetType, members: readonly string[]): AttributeValue {
  if (type === 'SS') return { SS: members };
  return type === 'NS' ? { NS: members } : { BS: members };
}
