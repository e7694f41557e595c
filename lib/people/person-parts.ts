/** What is erased about a person. */
export const erasedParts = ['name', 'email', 'mail', 'webhooks', 'accounts'] as const;

export type ErasedPart = (typeof erasedParts)[number];

/**
 * What stays with the number: the accounts of the service rest on it. The subject leads whoever
 * signs in again to the same number, and so to the same quotas and bans.
 */
export const keptParts = [
  'jobs',
  'quotas',
  'ledgers',
  'reports',
  'requests',
  'audit',
  'bans',
  'leads',
  'subject',
] as const;
