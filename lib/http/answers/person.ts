import * as v from 'valibot';
import { erasedParts, keptParts } from '#lib/people/person-parts.ts';
import { Account, User } from './administration.ts';
import { systemInCapitals, timestamp, userId } from './fields.ts';
import { QuotaRequest, QuotaWithUsage } from './quota.ts';
import { Notifications, Webhook } from './webhook.ts';

const { email, unconfirmed_email, events, digest } = Notifications.entries;

/** Everything that is kept about a person. What has lists of its own is named by its addresses. */
export const Person = v.strictObject({
  user: User,
  accounts: v.array(Account),
  /** As the user's tokens named them. */
  claimed_accounts: v.array(Account),
  leads: v.array(v.strictObject({ project_hpc: systemInCapitals, project_name: v.string() })),
  quotas: v.array(QuotaWithUsage),
  requests: v.array(QuotaRequest),
  /** Null if the user has chosen nothing. */
  notifications: v.nullable(v.strictObject({ email, unconfirmed_email, events, digest })),
  webhooks: v.array(Webhook),
  lists: v.strictObject({
    jobs: v.string(),
    ledgers: v.array(v.string()),
    usage: v.string(),
    audit: v.string(),
    acts: v.string(),
  }),
});

export const Erasure = v.strictObject({
  user: userId,
  erased: timestamp,
  /** From when names of tokens are kept again. */
  names_return: timestamp,
  removed: v.array(v.picklist(erasedParts)),
  stays: v.array(v.picklist(keptParts)),
});
