/** From the top of the file: names of fields, and places in lists. */
export type Path = readonly (string | number)[];

/** One mistake in a catalog: where it is, and what follows the name of the field in a sentence. */
export interface Problem {
  readonly path: Path;
  readonly text: string;
}

/** As a person would say it: short, and never a whole object. */
export function describeFound(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
