import type { Preferences } from '#lib/mail/preferences.ts';
import type { Erasure } from '#lib/people/erase-person.ts';
import type { PersonRecords } from '#lib/people/gather-person.ts';
import { keptParts } from '#lib/people/person-parts.ts';
import type { KnownUser } from '#lib/users/user-directory.ts';
import { presentAccount, presentUser } from './present-administration.ts';
import { presentQuotaWithUsage, quotaLocation } from './present-quota.ts';
import { presentRequest } from './present-request.ts';
import { presentWebhook } from './present-webhook.ts';
import { timestamp } from './values.ts';

export function presentPerson(user: KnownUser, records: PersonRecords) {
  return {
    user: presentUser(user),
    accounts: records.accounts.map(presentAccount),
    claimed_accounts: records.claimedAccounts.map(presentAccount),
    leads: records.leads.map(({ hpc, project }) => ({
      project_hpc: hpc.toUpperCase(),
      project_name: project,
    })),
    quotas: records.quotas.map(presentQuotaWithUsage),
    requests: records.requests.map(presentRequest),
    notifications: records.notifications ? presentWishes(records.notifications) : null,
    webhooks: records.webhooks.map(presentWebhook),
    lists: {
      jobs: `/admin/jobs/?user=${user.user}`,
      ledgers: records.quotas.map((quota) => `${quotaLocation(quota)}ledger/`),
      usage: `/admin/reports/usage/?user=${user.user}`,
      audit: `/admin/audit/?user=${user.user}`,
      acts: `/admin/audit/?by=${user.user}`,
    },
  };
}

function presentWishes({ email, waitingEmail, events, digest }: Preferences) {
  return { email: email ?? null, unconfirmed_email: waitingEmail ?? null, events, digest };
}

export function presentErasure({ user, erasedAt, namesReturn, removed }: Erasure) {
  return {
    user,
    erased: timestamp(erasedAt),
    names_return: timestamp(namesReturn),
    removed,
    stays: keptParts,
  };
}
