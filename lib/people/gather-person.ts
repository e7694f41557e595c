import { listLedProjects } from '#lib/budgets/led-projects.ts';
import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import type { Preferences } from '#lib/mail/preferences.ts';
import { readPreferences } from '#lib/mail/read-preferences.ts';
import type { Quota } from '#lib/quotas/quota.ts';
import { readQuotas } from '#lib/quotas/quota-store.ts';
import type { QuotaRequest } from '#lib/requests/quota-request.ts';
import { listOwnRequests } from '#lib/requests/request-store.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Login } from '#lib/users/logins/login.ts';
import { readClaimedLogins, readLogins } from '#lib/users/logins/login-store.ts';
import type { Webhook } from '#lib/webhooks/webhook.ts';
import { listWebhooks } from '#lib/webhooks/webhook-store.ts';

/** What is kept about a person, besides the profile and what has lists of its own. */
export interface PersonRecords {
  readonly accounts: readonly Login[];
  /** As the user's tokens named them. */
  readonly claimedAccounts: readonly Login[];
  readonly leads: readonly ProjectKey[];
  readonly quotas: readonly Quota[];
  readonly requests: readonly QuotaRequest[];
  readonly notifications: Preferences | undefined;
  readonly webhooks: readonly Webhook[];
}

export async function gatherPerson(table: Table, user: UserId): Promise<PersonRecords> {
  const [accounts, claimedAccounts, leads, quotas, requests, notifications, webhooks] =
    await Promise.all([
      readLogins(table, user),
      readClaimedLogins(table, user),
      listLedProjects(table, user),
      readQuotas(table, user),
      readRequests(table, user),
      readPreferences(table, user),
      listWebhooks(table, user),
    ]);
  return { accounts, claimedAccounts, leads, quotas, requests, notifications, webhooks };
}

const pageSize = 100;

/** A request is gone a year after its end, so all of a user's fit into an answer. */
async function readRequests(table: Table, user: UserId): Promise<QuotaRequest[]> {
  const requests: QuotaRequest[] = [];
  let after: RequestId | undefined;
  do {
    const page = await listOwnRequests(table, user, pageSize, after);
    requests.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  return requests;
}
