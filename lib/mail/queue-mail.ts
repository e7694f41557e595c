import type { SlipwayEvent } from '#lib/events/event.ts';
import type { Table } from '#lib/table/table.ts';
import { describeEvent } from './describe-event.ts';
import { putNote } from './mailbox.ts';
import { readPreferences } from './read-preferences.ts';

/** Queues the note of an event, if its owner wants to be told and has a confirmed address. */
export async function queueMail(
  table: Table,
  event: SlipwayEvent,
  now = new Date(),
): Promise<void> {
  const { owner } = event;
  const note = describeEvent(event);
  if (!note || owner === undefined) return;
  const preferences = await readPreferences(table, owner);
  if (preferences?.email === undefined || !preferences.events.includes(note.topic)) return;
  await putNote(table, owner, note, now);
}
