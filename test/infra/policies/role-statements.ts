import * as v from 'valibot';
import { findRoleDocuments } from '../role-documents.ts';
import type { Templates } from '../synthesize.ts';
import { fillIn } from './fill-in.ts';
import type { PolicyStatement } from './is-allowed.ts';

const Texts = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((texts) => [texts].flat()),
);

/** Strict: a statement by what it leaves out (NotAction, NotResource) is not understood here. */
const Statement = v.strictObject({
  Sid: v.optional(v.string()),
  Effect: v.picklist(['Allow', 'Deny']),
  Action: Texts,
  Resource: Texts,
  Condition: v.optional(v.record(v.string(), v.record(v.string(), Texts)), {}),
});

const Document = v.object({ Statement: v.array(Statement) });

export function parseStatements(document: unknown): PolicyStatement[] {
  return v.parse(Document, document).Statement.map(({ Effect, Action, Resource, Condition }) => ({
    effect: Effect,
    actions: Action,
    resources: Resource,
    conditions: Condition,
  }));
}

/** Everything that the deployed role of a function says. */
export function roleStatements(templates: Templates, name: string): PolicyStatement[] {
  const { documents, foreign } = findRoleDocuments(templates, name);
  if (foreign.length > 0) throw new Error(`${name} has policies of others: ${foreign.join(', ')}`);
  return documents.flatMap((document) => parseStatements(fillIn(document, templates)));
}
