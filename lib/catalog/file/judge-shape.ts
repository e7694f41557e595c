import * as v from 'valibot';
import { type CatalogEntry, CatalogSchema } from '../catalog-schema.ts';
import { describeFound, type Path, type Problem } from './problem.ts';
import { suggestName } from './suggest-name.ts';

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
