import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as v from 'valibot';
import type { FieldProblem } from '../errors.ts';

/** What of a request is read by schemas. */
export type RawRequest = Pick<
  APIGatewayProxyEventV2,
  'headers' | 'rawQueryString' | 'body' | 'isBase64Encoded'
>;

/** What a part of a request means, or all that is wrong with it. */
export type Reading<Output> =
  | { readonly output: Output }
  | { readonly problems: readonly FieldProblem[] };

/** A schema of named fields, whatever is made of them afterwards. */
export type FieldsSchema = v.GenericSchema & { readonly entries: v.ObjectEntries };

/** JSON of this shape, or bytes; and whether a request may leave it out. */
export interface BodyForms {
  readonly contents: Readonly<Record<string, v.GenericSchema | 'bytes'>>;
  readonly required: boolean;
}

/** A kind of body: what it is, and what else of the request decides that, is its own affair. */
export interface BodyKind<Output> {
  /** What it looks like to a client, by content type; nothing where there is none to send. */
  readonly forms?: BodyForms;
  read(request: RawRequest): Reading<Output> | Promise<Reading<Output>>;
}
