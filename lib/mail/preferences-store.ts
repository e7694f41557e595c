import { ifMissing } from '#lib/table/conditions.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/transaction.ts';
import { putItem, wasWritten } from '#lib/table/writes.ts';
import { LinkNotValidError } from './errors.ts';
import type { MailPass } from './mail-passes.ts';
import { type Preferences, preferencesToItem } from './preferences.ts';
import { readPreferences } from './read-preferences.ts';

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

/** Throws if somebody else has changed them since they were seen. */
export async function savePreferences(
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
