import type { Detail, Fact } from '#lib/audit/act.ts';
import type { Renewal } from '#lib/catalog/renewal.ts';

/**
 * How a renewal changed, for the audit: in words, and in facts beside them, so that no client has to
 * read numbers out of a sentence. Empty where nothing changed, because most quotas never renew.
 */
export function describeRenewalChange(
  before: Renewal | undefined,
  after: Renewal | undefined,
): Record<string, Detail> {
  const [old, wanted] = [before, after].map((rule) => (rule ? listFacts(rule) : {}));
  const changes = Object.keys({ ...old, ...wanted }).map((name) => {
    return [name, { before: old?.[name] ?? null, after: wanted?.[name] ?? null }] as const;
  });
  return changes.some(([, change]) => change.before !== change.after)
    ? Object.fromEntries(changes)
    : {};
}

function listFacts(rule: Renewal): Readonly<Record<string, Fact>> {
  const { every, on, month, to, carryOver } = rule;
  return {
    renews: tell(rule),
    renews_every: every,
    renews_on: on,
    ...(every !== 'monthly' && { renews_month: month }),
    renews_time: to.seconds,
    renews_space: to.kilobytes,
    carries_over_time: carryOver.seconds,
    carries_over_space: carryOver.kilobytes,
  };
}

function tell({ every, on, month, to, carryOver }: Renewal): string {
  const start = every === 'monthly' ? '' : ` from month ${month}`;
  return (
    `${every}${start} on day ${on} to ${to.seconds} seconds and ${to.kilobytes} kilobytes, ` +
    `carrying over up to ${carryOver.seconds} seconds and ${carryOver.kilobytes} kilobytes`
  );
}
