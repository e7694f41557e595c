import * as v from 'valibot';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { SlipwayEvent } from '#lib/events/event.ts';
import { walkDue } from '#lib/table/due-index.ts';
import { isLifeOn, listActiveShards, userOfPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { describeEvent } from './describe-event.ts';
import { putNote } from './mailbox.ts';
import { wants } from './preferences.ts';
import { readPreferences } from './read-preferences.ts';
import { usualLanguage } from './words/languages.ts';
import { mailWords } from './words/words.ts';

/**
 * Queues the note of an event for each user whom it concerns, who wants to be told, and who has a
 * confirmed address, in the language of that user.
 */
export async function queueMail(
  table: Table,
  event: SlipwayEvent,
  now = new Date(),
): Promise<void> {
  const { owner } = event;
  const usual = describeEvent(event, mailWords[usualLanguage]);
  if (!usual) return;
  const users = owner ? [owner] : await listActiveUsers(table, event);
  await mapInParallel(users, parallelUsers, async (user) => {
    const preferences = await readPreferences(table, user);
    if (!wants(preferences, usual.topic)) return;
    const note = describeEvent(event, mailWords[preferences.language]) ?? usual;
    await putNote(table, user, note, now);
  });
}

const parallelUsers = 10;

const OfSystem = v.object({ hpc: v.custom<SystemName>((name) => typeof name === 'string') });

/** Lists the users who have active jobs on the system of an event. */
async function listActiveUsers(table: Table, { data }: SlipwayEvent): Promise<readonly UserId[]> {
  const { hpc } = v.parse(OfSystem, data);
  const users = new Set<UserId>();
  for await (const page of walkDue(table, listActiveShards(hpc), everything, 250)) {
    for (const key of page) if (isLifeOn(hpc, key)) users.add(userOfPartition(key.PK));
  }
  return [...users];
}

/** Later than anything is due. */
const everything = new Date('9999-01-01T00:00:00Z');
