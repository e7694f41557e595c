import {
  boundaryName,
  type Conditions,
  type Right,
  rightsOfTheCdk,
  rightsOfTypes,
} from './deployment-rights.ts';
import { type Context, synthesizeVariant, variants } from './make-app.ts';
import type { Resource, TemplateJson, Templates } from './templates.ts';

export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

interface Statement {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Conditions;
}

/** IAM counts the characters of a managed policy, without white space. */
export const mostCharacters = 6_144;

/** Ways to deploy that bring types or rights which no variant has. */
const furtherWays: readonly Context[] = [
  { ...variants.prod, dashboard: 'true', traces: 'true' },
  { stage: 'prod', catalog: 'docs/examples/three-systems.json', ownKey: 'true' },
];

/** Lists the resources of all stacks, however they are deployed. */
export function listResources(
  synthesize: (context: Context) => Templates = synthesizeVariant,
): Resource[] {
  return [...Object.values(variants), ...furtherWays].flatMap((context) =>
    Object.values<TemplateJson>({ ...synthesize(context) }).flatMap(({ Resources }) =>
      Object.values(Resources),
    ),
  );
}

/** Lists the types of resources that nothing says how to deploy, and those that no template has. */
export function compareTypes(resources: readonly Resource[]) {
  const used = new Set(resources.map(({ Type }) => Type));
  const known = new Set(Object.keys(rightsOfTypes));
  return { missing: [...used.difference(known)], unused: [...known.difference(used)] };
}

/**
 * Writes the policies with which CloudFormation deploys the stacks. There are several, because the
 * size of one is limited.
 */
export function writeDeploymentPolicies(): Policy[] {
  const rights = [...rightsOfTheCdk, ...Object.values(rightsOfTypes).flat()];
  const policies: Statement[][] = [[]];
  for (const statement of unite(rights)) {
    const last = policies.at(-1) ?? [];
    if (measurePolicy(toPolicy([...last, statement])) > mostCharacters) policies.push([statement]);
    else last.push(statement);
  }
  return policies.map(toPolicy);
}

/** Writes one statement for all rights on the same resources, under the same conditions. */
function unite(rights: readonly Right[]): Statement[] {
  const alike = Map.groupBy(rights, ({ on, only }) => JSON.stringify([on, only]));
  return [...alike.values()].flatMap((some) => {
    const [first] = some;
    const Action = [...new Set(some.flatMap(({ actions }) => listActions(actions)))].toSorted();
    if (first === undefined || Action.length === 0) return [];
    const { on = ['*'], only } = first;
    return [{ Effect: 'Allow', Action, Resource: on, ...(only && { Condition: only }) }];
  });
}

function listActions(written: string): string[] {
  const [service, ...verbs] = written.split(/:? +/).filter((word) => word !== '');
  return verbs.map((verb) => `${service}:${verb}`);
}

function toPolicy(Statement: readonly Statement[]): Policy {
  return { Version: '2012-10-17', Statement };
}

export function measurePolicy(policy: Policy): number {
  return JSON.stringify(policy).length;
}

/** The managed policy of AWS that two functions of the CDK have. */
const basicExecution = ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'];

/**
 * Writes the most that a role of the stacks may ever do: all actions that one of them has today. What
 * they may be done to is the matter of each role's own policy.
 */
export function writeBoundary(resources: readonly Resource[]): Policy {
  const own = resources
    .filter(({ Type }) => Type.startsWith('AWS::IAM::'))
    .flatMap(({ Properties: { PolicyDocument, Policies } }) =>
      findActions([PolicyDocument, Policies]),
    );
  const Action = [...new Set([...own, ...basicExecution])].toSorted();
  return toPolicy([{ Effect: 'Allow', Action, Resource: ['*'] }]);
}

/** Finds the actions of all statements in a part of a template. */
export function findActions(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(findActions);
  if (typeof part !== 'object' || part === null) return [];
  if ('Effect' in part && 'Action' in part) return [part.Action].flat().map(String);
  return Object.values(part).flatMap(findActions);
}

/** The files of docs/examples/rights, with what belongs into them. */
export function writeFiles(resources: readonly Resource[]): Map<string, string> {
  const files = writeDeploymentPolicies().map((policy, place): [string, Policy] => [
    `deployment-${place + 1}.json`,
    policy,
  ]);
  return new Map(
    [...files, [`${boundaryName}.json`, writeBoundary(resources)] as const].map(
      ([name, policy]) => [name, `${JSON.stringify(policy, null, 2)}\n`],
    ),
  );
}
