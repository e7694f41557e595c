import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { type FieldProblem, UnsupportedBodyError } from '../errors.ts';

/** The parts of a request that schemas read. */
export type RawRequest = Pick<
  APIGatewayProxyEventV2,
  'headers' | 'rawQueryString' | 'body' | 'isBase64Encoded'
>;

/** The parsed part of a request, or everything that is wrong with it. */
export type Reading<Output> =
  | { readonly output: Output }
  | { readonly problems: readonly FieldProblem[] };

/** A schema with named fields, possibly followed by transformations. */
export type FieldsSchema = v.GenericSchema & { readonly entries: v.ObjectEntries };

/** JSON of a shape, or bytes, by content type; and whether the body may be left out. */
interface BodyForms {
  readonly contents: Readonly<Record<string, v.GenericSchema | 'bytes'>>;
  readonly required: boolean;
}

/** Reads a body. It sees the whole request, because headers or the query may describe the body. */
export interface BodyKind<Output> {
  /** Describes the body to clients. Undefined if clients send none. */
  readonly forms?: BodyForms;
  read(request: RawRequest): Reading<Output> | Promise<Reading<Output>>;
}

export interface FieldWords {
  readonly location: FieldProblem['location'];
  readonly explainUnknown: (known: readonly string[]) => string;
}

/**
 * Parses fields and refuses unknown ones, because an ignored field would look like one that worked.
 * Reports all problems at once, unknown fields first.
 */
export function readFields<S extends FieldsSchema>(
  schema: S,
  fields: object,
  { location, explainUnknown }: FieldWords,
): Reading<v.InferOutput<S>> {
  const known = Object.keys(schema.entries);
  const message = explainUnknown(known);
  const unknown = Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => ({ location, name: name.slice(0, 100), message }));
  const reading = readKnownFields(schema, fields, location);
  if (unknown.length === 0) return reading;
  return { problems: [...unknown, ...('problems' in reading ? reading.problems : [])] };
}

/** Parses fields and ignores unknown ones. */
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
    // valibot reports a missing field before it asks the field's own schema.
    message: issue.type === 'object' ? 'This field is required.' : issue.message,
  }));
  return { problems };
}

/**
 * Returns the bytes of the body, which the gateway passes on as base64 or as plain text. They are
 * not unpacked, because a few of them could become gigabytes.
 */
export function readBytes({ body, isBase64Encoded, headers }: RawRequest): Buffer {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (body && encoding !== 'identity') {
    throw new UnsupportedBodyError(encoding, 'Send the bytes as they are.', 'encoding');
  }
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : undefined);
}

/** Decodes UTF-8. Returns undefined if the bytes are not valid. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Decodes UTF-8 in a header, which HTTP passes on byte by byte as Latin-1. Text that is not valid
 * UTF-8 stays as it is.
 */
export function decodeHeader(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.toString('latin1') !== text) return text;
  return decodeText(bytes) ?? text;
}
