import { matchesConditions } from './match-conditions.ts';
import { matchesPattern } from './match-pattern.ts';

/** A statement of a policy, with everything in it filled in. */
export interface PolicyStatement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: Conditions;
}

/** Operator, then key, then the values of which one must fit. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** What IAM is asked: may this be done to that, and what else is known of the request. */
export interface AuthorizationRequest {
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, readonly string[]>>;
}

/** As IAM decides by the policies of a role: one statement must allow it, and none deny it. */
export function isAllowed(
  statements: readonly PolicyStatement[],
  request: AuthorizationRequest,
): boolean {
  const effects = statements.filter((each) => applies(each, request)).map(({ effect }) => effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

export function areAllowed(
  statements: readonly PolicyStatement[],
  requests: readonly AuthorizationRequest[],
): boolean {
  return requests.every((request) => isAllowed(statements, request));
}

function applies(
  { actions, resources, conditions }: PolicyStatement,
  { action, resource, context }: AuthorizationRequest,
): boolean {
  // Actions are the same in any case; resources are not.
  const named = action.toLowerCase();
  return (
    actions.some((pattern) => matchesPattern(pattern.toLowerCase(), named)) &&
    resources.some((pattern) => matchesPattern(pattern, resource)) &&
    matchesConditions(conditions, context)
  );
}
