import { randomUUID } from 'node:crypto';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { readMailbox } from '#lib/mail/mailbox.ts';
import { readPreferences } from '#lib/mail/read-preferences.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { mailboxKey, notificationsKey, type PrimaryKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { freeLogin } from '#lib/users/logins/claimed-login.ts';
import type { Login } from '#lib/users/logins/login.ts';
import {
  deleteClaimedLogin,
  deleteLogin,
  readClaimedLogins,
  readLogins,
} from '#lib/users/logins/login-store.ts';
import { forgetPerson, namesReturn } from '#lib/users/person-store.ts';
import type { Profile } from '#lib/users/profile.ts';
import { findProfile } from '#lib/users/profile-store.ts';
import { removeDeliveries } from '#lib/webhooks/deliveries/delivery-store.ts';
import { dropWebhooks, listWebhooks } from '#lib/webhooks/webhook-store.ts';
import type { ErasedPart } from './person-parts.ts';

interface EraseOrder {
  readonly user: UserId;
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
}

export interface Erasure {
  readonly user: UserId;
  readonly erasedAt: Date;
  /** From when names of tokens are kept again. */
  readonly namesReturn: Date;
  /** What this order has removed. Empty if nothing was left. */
  readonly removed: readonly ErasedPart[];
}

/**
 * Erases what is kept about a person, and leaves what the number has done. The deliveries of
 * webhooks go first: if there are too many for one request, a further one still finds their webhook.
 * The rest is one transaction with its act. Erasing again removes what has come since. Active jobs
 * run on, because each has its own copy of the account it runs as.
 */
export async function erasePerson(
  table: Table,
  order: EraseOrder,
  now = new Date(),
): Promise<Erasure> {
  const { user } = order;
  await findProfile(table, user);
  for (const { id } of await listWebhooks(table, user)) await removeDeliveries(table, id);
  return decideUntilWritten(async () => {
    const profile = await findProfile(table, user);
    const found = await findParts(table, profile);
    const removed = found.map(({ part }) => part);
    if (removed.length === 0 && profile.erasedAt) return describe(profile, profile.erasedAt, []);
    await writeTransaction(table, [
      ...forgetPerson(profile, now),
      ...found.flatMap(({ steps }) => steps),
      recordAct(describeAct(order, now, removed)),
    ]);
    return describe(profile, now, removed);
  });
}

interface Part {
  readonly part: ErasedPart;
  /** Without those of the profile. */
  readonly steps: readonly Step[];
}

async function findParts(table: Table, { user, name, email }: Profile): Promise<Part[]> {
  const [preferences, mailbox, webhooks, logins] = await Promise.all([
    readPreferences(table, user),
    readMailbox(table, user),
    listWebhooks(table, user),
    removeLogins(table, user),
  ]);
  const mail = [
    ...(preferences ? [remove(notificationsKey(user))] : []),
    ...(mailbox ? [remove(mailboxKey(user))] : []),
  ];
  const others: Part[] = [
    { part: 'mail', steps: mail },
    { part: 'webhooks', steps: dropWebhooks(user, webhooks) },
    { part: 'accounts', steps: logins },
  ];
  return [
    ...(name === undefined ? [] : [{ part: 'name' as const, steps: [] }]),
    ...(email === undefined ? [] : [{ part: 'email' as const, steps: [] }]),
    ...others.filter(({ steps }) => steps.length > 0),
  ];
}

/** Nothing is read from what is removed, so it does not matter if somebody has changed it. */
function remove(Key: PrimaryKey): Step {
  return { Delete: { Key }, refuse: () => new StaleReadError() };
}

/** Both logins of a system may have the same name, which is freed once. */
async function removeLogins(table: Table, user: UserId): Promise<Step[]> {
  const [entered, claimed] = await Promise.all([
    readLogins(table, user),
    readClaimedLogins(table, user),
  ]);
  const names = new Map<string, Login>(
    [...entered, ...claimed].map((login) => [`${login.hpc}#${login.name}`, login]),
  );
  const freed = await Promise.all([...names.values()].map((login) => freeLogin(table, login)));
  return [
    ...entered.map((login) => deleteLogin(login)),
    ...claimed.map(deleteClaimedLogin),
    ...freed.flat(),
  ];
}

function describe(profile: Profile, erasedAt: Date, removed: readonly ErasedPart[]): Erasure {
  const { user } = profile;
  return { user, erasedAt, namesReturn: namesReturn({ erasedAt }), removed };
}

/** Names the parts, and nothing of what they held: an act is never changed. */
function describeAct({ user, reason, by }: EraseOrder, at: Date, removed: readonly ErasedPart[]) {
  const details = { removed: removed.length > 0 ? removed.join(', ') : null };
  const kind = 'user-erased' as const;
  return { id: randomUUID(), kind, at, by, reason, subject: { user }, details };
}
