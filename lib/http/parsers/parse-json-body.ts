import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import {
  BodyTooLargeError,
  type FieldProblem,
  InvalidRequestError,
  UnsupportedBodyError,
} from '../errors.ts';

type BodySchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** Several times what any of these bodies needs. */
export const maxJsonBytes = 16_384;

/**
 * A body of JSON through its schema. A field that is unknown is refused: a wish that silently did
 * nothing would look like one that was met. All that is wrong is reported at once.
 */
export function parseJsonBody<S extends BodySchema>(
  schema: S,
  event: APIGatewayProxyEventV2,
): v.InferOutput<S> {
  const fields = readObject(event);
  const known = Object.keys(schema.entries);
  const unknown = Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => wrong(name.slice(0, 100), `There is no such field. ${explainKnown(known)}`));
  const result = v.safeParse(schema, fields);
  const issues = (result.issues ?? []).map((issue) =>
    wrong(v.getDotPath(issue) ?? '', isMissing(issue) ? 'This field is required.' : issue.message),
  );
  if (!result.success || unknown.length > 0) throw new InvalidRequestError([...unknown, ...issues]);
  return result.output;
}

function readObject(event: APIGatewayProxyEventV2): object {
  refuseOtherTypes(event.headers['content-type']);
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxJsonBytes) {
    throw new BodyTooLargeError(bytes.length, maxJsonBytes, 'No JSON here needs more.');
  }
  const value = readJson(bytes);
  if (value === undefined) throw new InvalidRequestError([wrong('body', 'It is not valid JSON.')]);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequestError([wrong('body', 'It must be a JSON object.')]);
  }
  return value;
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** No type at all is taken for JSON; a form, which curl makes of `-d`, is not. */
function refuseOtherTypes(contentType = ''): void {
  if (/^(application\/json\s*(;.*)?)?$/i.test(contentType.trim())) return;
  throw new UnsupportedBodyError(contentType, "Send JSON, as 'Content-Type: application/json'.");
}

/** The object itself reports a field that is not there, before the field's own schema is asked. */
function isMissing({ type, path }: v.BaseIssue<unknown>): boolean {
  return type === 'object' && path?.length === 1;
}

function explainKnown(known: readonly string[]): string {
  return `There are: ${known.join(', ')}.`;
}

function wrong(name: string, message: string): FieldProblem {
  return { location: 'body', name, message };
}
