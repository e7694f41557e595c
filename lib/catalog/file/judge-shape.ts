import * as v from 'valibot';
import { type CatalogEntry, CatalogSchema } from '../catalog-schema.ts';
import { describeFound, type Path, type Problem } from './parse-json.ts';

type Issue = v.InferIssue<typeof CatalogSchema>;

/** Whether it has the fields that a catalog has, each of its form; or all that is wrong with them. */
export function judgeShape(
  value: unknown,
): { readonly entry: CatalogEntry } | { readonly problems: readonly Problem[] } {
  const result = v.safeParse(CatalogSchema, value, { abortPipeEarly: true });
  if (result.success) return { entry: result.output };
  return { problems: result.issues.flatMap(describeIssue) };
}

function describeIssue(issue: Issue): Problem[] {
  const path = pathOf(issue);
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

/** The name that was probably meant: one that is a few letters away, or the same but for its case. */
function suggestName(written: string, names: readonly string[]): string | undefined {
  const far = Math.max(2, Math.floor(written.length / 3));
  const [nearest] = names
    .map((name) => ({ name, steps: countSteps(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ steps }) => steps <= far)
    .sort((a, b) => a.steps - b.steps);
  return nearest?.name;
}

/** Letters to insert, to leave out or to replace (Levenshtein). */
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
