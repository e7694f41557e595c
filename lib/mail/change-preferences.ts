import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/transaction.ts';
import { TooManyLinksError } from './errors.ts';
import { putLink } from './mailbox.ts';
import {
  applyWish,
  maxLinks,
  newPreferences,
  nextLinkAt,
  type Preferences,
  type Wish,
} from './preferences.ts';
import { savePreferences } from './preferences-store.ts';
import { readPreferences } from './read-preferences.ts';

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
