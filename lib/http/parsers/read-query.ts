import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { type FieldProblem, InvalidRequestError } from '../errors.ts';

type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/**
 * Query parameters through their schema. A parameter that is unknown or given twice is refused: a
 * filter that silently did nothing would look like an answer.
 */
export function readQuery<S extends QuerySchema>(
  schema: S,
  event: APIGatewayProxyEventV2,
): v.InferOutput<S> {
  const given = [...new URLSearchParams(event.rawQueryString)];
  const names = given.map(([name]) => name);
  const known = Object.keys(schema.entries);
  const problems: FieldProblem[] = [...new Set(names)].flatMap((name) => {
    if (!known.includes(name)) return [{ location: 'query', name, message: explainKnown(known) }];
    if (names.indexOf(name) === names.lastIndexOf(name)) return [];
    return [{ location: 'query', name, message: 'It is given twice.' }];
  });
  const result = v.safeParse(schema, Object.fromEntries(given));
  const issues = (result.issues ?? []).map((issue): FieldProblem => {
    return { location: 'query', name: v.getDotPath(issue) ?? '', message: issue.message };
  });
  if (!result.success || problems.length > 0)
    throw new InvalidRequestError([...problems, ...issues]);
  return result.output;
}

/** For what takes no parameters. */
export function refuseQuery(event: APIGatewayProxyEventV2): void {
  readQuery(v.object({}), event);
}

function explainKnown(known: readonly string[]): string {
  return known.length === 0
    ? 'No parameters are taken here.'
    : `There is no such parameter. There are: ${known.join(', ')}.`;
}
