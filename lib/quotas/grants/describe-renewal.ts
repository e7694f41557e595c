import type { Renewal } from '#lib/catalog/renewal.ts';

/** As the audit says it. */
export function describeRenewal({ every, on, month, to, carryOver }: Renewal): string {
  const start = every === 'monthly' ? '' : ` from month ${month}`;
  return (
    `${every}${start} on day ${on} to ${to.seconds} seconds and ${to.kilobytes} kilobytes, ` +
    `carrying over up to ${carryOver.seconds} seconds and ${carryOver.kilobytes} kilobytes`
  );
}
