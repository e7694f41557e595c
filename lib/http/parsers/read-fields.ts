import * as v from 'valibot';
import type { FieldProblem } from '../errors.ts';
import type { FieldsSchema, Reading } from './reading.ts';

export interface FieldWords {
  readonly location: FieldProblem['location'];
  readonly explainUnknown: (known: readonly string[]) => string;
}

/**
 * Fields through their schema. A field that is unknown is refused: a wish that silently did nothing
 * would look like one that was met. All that is wrong is reported at once, the unknown first.
 */
export function readFields<S extends FieldsSchema>(
  schema: S,
  fields: object,
  { location, explainUnknown }: FieldWords,
): Reading<v.InferOutput<S>> {
  const known = Object.keys(schema.entries);
  const unknown = Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => ({ location, name: name.slice(0, 100), message: explainUnknown(known) }));
  const reading = readKnownFields(schema, fields, location);
  if (unknown.length === 0) return reading;
  return { problems: [...unknown, ...('problems' in reading ? reading.problems : [])] };
}

/** The same, where what is unknown is somebody else's affair. */
export function readKnownFields<S extends FieldsSchema>(
  schema: S,
  fields: object,
  location: FieldProblem['location'],
): Reading<v.InferOutput<S>> {
  const result = v.safeParse(schema, fields);
  if (result.success) return { output: result.output };
  const problems = result.issues.map((issue) => ({
    location,
    name: v.getDotPath(issue) ?? location,
    // An object reports a field that is not there before the field's own schema is asked.
    message: issue.type === 'object' ? 'This field is required.' : issue.message,
  }));
  return { problems };
}
