import * as v from 'valibot';
import { invalid, ServiceError } from '../values/errors.ts';

/** Parses a request. Refuses unknown parameters, because ignoring them could change the result. */
export function parseRequest<Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, body, { abortEarly: true });
  if (result.success) return result.output;
  throw describeIssue(result.issues[0]);
}

function describeIssue(issue: v.BaseIssue<unknown>): ServiceError {
  const path = v.getDotPath(issue) ?? '';
  if (issue.expected === 'never') {
    return invalid(`The embedded DynamoDB does not know the parameter ${path}.`);
  }
  if (issue.input === undefined) {
    return invalid(`The parameter '${path}' is required but was not present in the request`);
  }
  if (issue.kind === 'schema' && issue.type !== 'picklist') {
    return new ServiceError('SerializationException', `${path} has another type than it should.`);
  }
  return invalid(
    `1 validation error detected: Value at '${path}' failed to satisfy constraint: ${issue.message}`,
  );
}
