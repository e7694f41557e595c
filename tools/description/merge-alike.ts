import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './component-schemas.ts';
import { namesIn } from './expand-path.ts';

/** An operation at a path, before those that look alike are put together. */
export interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonSchema & { readonly parameters: readonly JsonSchema[] };
  /** The names of the problems that it can be refused with. */
  readonly problems: readonly string[];
}

/**
 * OpenAPI takes two templates that differ only in the names of their parts for one. Where the
 * service tells them apart by what stands there (a user is a number, a system is a name), they are
 * described as one operation whose parts may be either.
 */
export function mergeAlike(all: readonly Described[]): Described[] {
  const alike = Map.groupBy(
    all,
    ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
  );
  return [...alike.values()].map((group) => group.reduce(mergeTwo));
}

function mergeTwo(first: Described, second: Described): Described {
  const names = namesIn(first.path).map((name, index) =>
    joinNames(name, namesIn(second.path)[index]),
  );
  const rename = renamer(namesIn(first.path), names);
  return {
    problems: [...new Set([...first.problems, ...second.problems])],
    method: first.method,
    path: rename(first.path),
    operation: {
      ...first.operation,
      summary: `${first.operation.summary}, or: ${lowerFirst(String(second.operation.summary))}`,
      parameters: [
        ...mergePathParameters(first, second, names),
        ...otherParameters(first),
        ...otherParameters(second).filter(
          ({ name }) => !otherParameters(first).some((each) => each.name === name),
        ),
      ],
      responses: { ...record(second.operation.responses), ...record(first.operation.responses) },
    },
  };
}

function mergePathParameters(first: Described, second: Described, names: readonly string[]) {
  const ofSecond = pathParameters(second);
  return pathParameters(first).map((one, index): JsonSchema => {
    const other = ofSecond[index];
    if (!other || other.name === one.name) return one;
    return {
      name: names[index],
      in: 'path',
      required: true,
      description: `${one.description} Or: ${lowerFirst(String(other.description))}`,
      schema: isDeepStrictEqual(one.schema, other.schema)
        ? one.schema
        : { anyOf: [one.schema, other.schema] },
      example: one.example,
    };
  });
}

function pathParameters({ operation }: Described): JsonSchema[] {
  return operation.parameters.filter((each) => each.in === 'path');
}

function otherParameters({ operation }: Described): JsonSchema[] {
  return operation.parameters.filter((each) => each.in !== 'path');
}

function joinNames(one: string, other: string | undefined): string {
  return other === undefined || other === one ? one : `${one}_or_${other}`;
}

function renamer(before: readonly string[], after: readonly string[]) {
  return (path: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => `{${after[before.indexOf(name)] ?? name}}`);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function record(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
