import type { TemplateJson } from '#tools/stacks/templates.ts';

export interface PlacedValue {
  /** `AWS::Lambda::Function.Timeout`; what stands in a list or under a name of ours, under `*`. */
  readonly place: string;
  readonly resource: string;
  readonly value: string | number;
}

/** Texts and numbers as they are written in a template, without what CloudFormation computes. */
export function listValues({ Resources }: TemplateJson): PlacedValue[] {
  return Object.entries(Resources).flatMap(([resource, { Type, Properties = {} }]) =>
    listBelow(Type, Properties).map((each) => ({ ...each, resource })),
  );
}

/** Whose names are not CloudFormation's but ours, or another language than its schemas. */
const named = /\.(RouteSettings|Variables|InputPathsMap)$/;
const foreign = /\.(PolicyDocument|AssumeRolePolicyDocument|KeyPolicy|EventPattern)$|\.Fn::/;

function listBelow(place: string, value: unknown): Omit<PlacedValue, 'resource'>[] {
  if (foreign.test(place)) return [];
  if (typeof value === 'string' || typeof value === 'number') return [{ place, value }];
  if (typeof value !== 'object' || value === null) return [];
  const all = Array.isArray(value) || named.test(place);
  return Object.entries(value).flatMap(([name, each]) =>
    listBelow(all ? `${place}.*` : `${place}.${name}`, each),
  );
}
