import * as v from 'valibot';
import { type CatalogEntry, CatalogSchema } from '../catalog-schema.ts';
import { describeFound, type Path, type Problem } from './parse-json.ts';

type Issue = v.InferIssue<typeof CatalogSchema>;

/** Returns the catalog if all its fields have the right form, or everything that is wrong with them. */
export function judgeShape(
  value: unknown,
): { readonly entry: CatalogEntry } | { readonly problems: readonly Problem[] } {
  const result = v.safeParse(CatalogSchema, value, { abortPipeEarly: true });
  if (result.success) return { entry: result.output };
  return { problems: result.issues.flatMap(describeIssue) };
}

function describeIssue(issue: Issue): Problem[] {
  const path = pathOf(issue);
  // A value that may be a word or an object: the mistakes inside of the object say more.
  const inside = issue.type === 'union' ? (issue.issues ?? []).filter((each) => each.path) : [];
  if (inside.length > 0) {
    return inside
      .flatMap(describeIssue)
      .map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
  }
  if (issue.type === 'strict_object' && issue.expected === 'never') return nameUnknown(issue, path);
  const found = issue.path?.at(-1)?.value ?? issue.input;
  return [{ path, text: `is ${describeFound(found)}; it must be ${issue.message}` }];
}

/** The schema stops at the first unknown field of an object, and its message lists the known ones. */
function nameUnknown(issue: Issue, path: Path): Problem[] {
  const known = issue.message.split(', ');
  const fields = Object.keys(Object(issue.path?.at(-1)?.input));
  return fields
    .filter((field) => !known.includes(field))
    .map((field) => ({ path: [...path.slice(0, -1), field], text: refuseUnknown(field, known) }));
}

function refuseUnknown(field: string, known: readonly string[]): string {
  const meant = suggestName(field, known);
  return meant === undefined
    ? `is not a field; the fields here are ${known.join(', ')}`
    : `is not a field; did you mean ${meant}?`;
}

function pathOf(issue: Issue): Path {
  return (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
}

/** Suggests the name that was probably meant: a few letters away, or different only in case. */
function suggestName(written: string, names: readonly string[]): string | undefined {
  const far = Math.max(2, Math.floor(written.length / 3));
  const [nearest] = names
    .map((name) => ({ name, steps: countSteps(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ steps }) => steps <= far)
    .sort((a, b) => a.steps - b.steps);
  return nearest?.name;
}

/** Counts the letters to insert, leave out or replace (Levenshtein). */
function countSteps(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    let left = index + 1;
    row = [
      left,
      ...[...to].map((other, place) => {
        const above = row[place + 1] ?? 0;
        const diagonal = row[place] ?? 0;
        left = Math.min(above + 1, left + 1, diagonal + (letter === other ? 0 : 1));
        return left;
      }),
    ];
  }
  return row.at(-1) ?? 0;
}
