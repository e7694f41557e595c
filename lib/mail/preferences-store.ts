import type { UserId } from '#lib/catalog/identifiers.ts';
import type { SlipwayEvent } from '#lib/events/event.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { notificationsKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/transaction.ts';
import { putItem, wasWritten } from '#lib/table/writes.ts';
import { describeEvent } from './describe-event.ts';
import { LinkNotValidError, TooManyLinksError } from './errors.ts';
import type { MailPass } from './mail-passes.ts';
import { putLink, putNote } from './mailbox.ts';
import {
  applyWish,
  maxLinks,
  newPreferences,
  nextLinkAt,
  type Preferences,
  preferencesFromItem,
  preferencesToItem,
  type Wish,
} from './preferences.ts';

export function readPreferences(table: Table, user: UserId): Promise<Preferences | undefined> {
  return readItem(table, notificationsKey(user), preferencesFromItem);
}

/** Queues the note of an event, if its owner wants to be told and has a confirmed address. */
export async function queueMail(
  table: Table,
  event: SlipwayEvent,
  now = new Date(),
): Promise<void> {
  const note = describeEvent(event);
  if (!note) return;
  const preferences = await readPreferences(table, event.owner);
  if (preferences?.email === undefined || !preferences.events.includes(note.topic)) return;
  await putNote(table, event.owner, note, now);
}

/** Changes the preferences of a user. An address that must be confirmed gets a link. */
export async function changePreferences(
  table: Table,
  user: UserId,
  wish: Wish,
  tokenEmail: string | undefined,
  now = new Date(),
): Promise<Preferences> {
  const changed = await decideUntilWritten(async () => {
    const stored = await readPreferences(table, user);
    const current = stored ?? newPreferences(user, now);
    const next = applyWish(current, wish, tokenEmail, now);
    if (asksForLink(wish, next)) refuseFlood(current, now);
    await savePreferences(table, next, stored);
    return next;
  });
  if (asksForLink(wish, changed)) await putLink(table, user, changed.waitingEmail, now);
  return changed;
}

/** True if the wish names an address that must be confirmed, also if it waits already. */
function asksForLink(
  { email }: Wish,
  next: Preferences,
): next is Preferences & { readonly waitingEmail: string } {
  return email !== undefined && next.waitingEmail !== undefined;
}

function refuseFlood(current: Preferences, now: Date): void {
  const waitMs = nextLinkAt(current).getTime() - now.getTime();
  if (waitMs > 0) throw new TooManyLinksError(maxLinks, Math.ceil(waitMs / 1000));
}

/** Takes the address of a pass as the user's, if it is still the one that waits. */
export async function confirmEmail(
  table: Table,
  { user, email }: MailPass,
  now = new Date(),
): Promise<void> {
  await decideUntilWritten(async () => {
    const stored = await readPreferences(table, user);
    // The link may be opened twice.
    if (stored?.email === email) return;
    if (stored?.waitingEmail !== email) throw new LinkNotValidError();
    const { waitingEmail: _, ...rest } = stored;
    await savePreferences(table, { ...rest, email, changedAt: now }, stored);
  });
}

/** Ends all mails to the address of a pass. Does nothing if the user has another address by now. */
export async function unsubscribe(
  table: Table,
  { user, email }: MailPass,
  now = new Date(),
): Promise<void> {
  await decideUntilWritten(async () => {
    const stored = await readPreferences(table, user);
    if (stored?.email !== email) return;
    const { email: _, ...rest } = stored;
    await savePreferences(table, { ...rest, changedAt: now }, stored);
  });
}

async function savePreferences(
  table: Table,
  next: Preferences,
  seen: Preferences | undefined,
): Promise<void> {
  const condition = seen
    ? {
        ConditionExpression: 'changed_at = :seen',
        ExpressionAttributeValues: { ':seen': seen.changedAt.toISOString() },
      }
    : ifMissing;
  const written = await wasWritten(putItem(table, { Item: preferencesToItem(next), ...condition }));
  if (!written) throw new StaleReadError();
}
