import type { Break } from './break.ts';
import type { JsonNode } from './json-node.ts';
import type { SchemaPair } from './schema-pair.ts';

const lowest = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const highest = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const forms = ['pattern', 'format'];

/** Bounds of what is sent may fall away but not be drawn tighter; those of answers the other way. */
export function compareBounds({ way, name, before, after }: SchemaPair): Break[] {
  const [from, to] = way === 'sent' ? [before, after] : [after, before];
  const tighter = [
    ...lowest.filter((keyword) => isAbove(to[keyword], from[keyword])),
    ...highest.filter((keyword) => isAbove(from[keyword], to[keyword])),
    ...[...lowest, ...highest].filter((keyword) => isNew(keyword, from, to)),
    ...forms.filter((keyword) => keyword in to && to[keyword] !== from[keyword]),
  ];
  return tighter.map((keyword) => ({
    name,
    what: `\`${keyword}\` was ${show(before[keyword])} and is ${show(after[keyword])}`,
  }));
}

function isAbove(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' && one > other;
}

function isNew(keyword: string, from: JsonNode, to: JsonNode): boolean {
  return keyword in to && !(keyword in from);
}

function show(value: unknown): string {
  return value === undefined ? 'not there' : String(value);
}
