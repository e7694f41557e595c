import type { AuthorizationRequest, Conditions } from './is-allowed.ts';
import { matchesPattern } from './match-pattern.ts';

type Context = AuthorizationRequest['context'];
type Compare = (pattern: string, value: string) => boolean;

const comparisons: Readonly<Record<string, Compare>> = {
  StringEquals: (pattern, value) => pattern === value,
  StringLike: matchesPattern,
  ArnLike: matchesArn,
};

/** All of them must hold, and of each any of its values. */
export function matchesConditions(conditions: Conditions, context: Context): boolean {
  return Object.entries(conditions).every(([operator, keys]) =>
    Object.entries(keys).every(([key, patterns]) =>
      matchesCondition(operator, patterns, findValues(context, key)),
    ),
  );
}

function matchesCondition(
  operator: string,
  patterns: readonly string[],
  values: readonly string[],
): boolean {
  const ofAll = operator.startsWith('ForAllValues:');
  const compare = comparisons[operator.replace('ForAllValues:', '')];
  // What is guessed here would be wrong there.
  if (!compare) throw new Error(`This evaluator does not know the condition ${operator}.`);
  const fits = (value: string) => patterns.some((pattern) => compare(pattern, value));
  // Of no values all are right: a request that has none passes.
  if (ofAll) return values.every(fits);
  if (values.length > 1) throw new Error(`${operator} compares one value, and not several.`);
  return values.some(fits);
}

/** Keys of conditions are the same in any case. */
function findValues(context: Context, key: string): readonly string[] {
  const found = Object.keys(context).find((name) => name.toLowerCase() === key.toLowerCase());
  return found === undefined ? [] : (context[found] ?? []);
}

/** Part by part, so that a star does not reach beyond a colon of the first five. */
function matchesArn(pattern: string, arn: string): boolean {
  const [patterns, parts] = [splitArn(pattern), splitArn(arn)];
  return (
    patterns.length === parts.length &&
    patterns.every((part, place) => matchesPattern(part, parts[place] ?? ''))
  );
}

function splitArn(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}
