import * as v from 'valibot';
import type { FieldProblem } from '../errors.ts';
import { readKnownFields } from './read-fields.ts';
import type { FieldsSchema, RawRequest, Reading } from './reading.ts';

/** For what takes no parameters. */
export const noQuery = v.object({});

/**
 * Query parameters through their schema. A parameter that is unknown or given twice is refused: a
 * filter that silently did nothing would look like an answer.
 */
export function readQuery<S extends FieldsSchema>(
  schema: S,
  { rawQueryString }: Pick<RawRequest, 'rawQueryString'>,
): Reading<v.InferOutput<S>> {
  const given = [...new URLSearchParams(rawQueryString)];
  const reading = readKnownFields(schema, Object.fromEntries(given), 'query');
  const misplaced = findMisplaced(schema, given);
  if (misplaced.length === 0) return reading;
  return { problems: [...misplaced, ...('problems' in reading ? reading.problems : [])] };
}

function findMisplaced(
  { entries }: FieldsSchema,
  given: readonly (readonly [string, string])[],
): FieldProblem[] {
  const names = given.map(([name]) => name);
  const known = Object.keys(entries);
  return [...new Set(names)].flatMap((name) => {
    if (!known.includes(name)) return [{ location: 'query', name, message: explainKnown(known) }];
    if (names.indexOf(name) === names.lastIndexOf(name)) return [];
    return [{ location: 'query', name, message: 'It is given twice. Send it once.' }];
  });
}

function explainKnown(known: readonly string[]): string {
  return known.length === 0
    ? 'This path takes no parameters.'
    : `Unknown parameter. Known parameters: ${known.join(', ')}.`;
}
