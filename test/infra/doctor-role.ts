import { findByPath, joinServing, type Templates } from './synthesize.ts';

export interface RawStatement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

/** A copy of the templates, with the statements of one role changed. */
export function doctorRole(
  templates: Templates,
  name: string,
  change: (statements: RawStatement[]) => void,
): Templates {
  const copy = structuredClone(templates);
  const [, role] = findByPath(joinServing(copy), `${name}/Role/Resource`);
  const [policy] = role.Properties.Policies as {
    PolicyDocument: { Statement: RawStatement[] };
  }[];
  if (!policy) throw new Error(`${name} has no policy of its own.`);
  change(policy.PolicyDocument.Statement);
  return copy;
}
