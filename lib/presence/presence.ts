import * as v from 'valibot';
import { writeChange } from '#lib/table/change.ts';
import { presenceKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { changeItem, updateItem } from '#lib/table/writes.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';

/** A time in which the service was away, by its own clock. */
export interface Absence {
  readonly from: Date;
  readonly until: Date;
}

/** Older absences concern jobs that were settled long ago. */
const absencesKept = 16;

const StoredAbsence = v.object({ from: v.string(), until: v.string() });

const PresenceItem = v.object({
  seen_at: v.string(),
  /** A later sign of life ends an absence. */
  late_after: v.string(),
  absences: v.optional(v.array(StoredAbsence), []),
});

function presenceFromItem(stored: unknown) {
  return parseItem(PresenceItem, stored);
}

/**
 * Writes a sign of life about every so many seconds, and records an absence if the previous sign is
 * too old. Nobody outside the service can write here, so a job's claim that it had to wait for the
 * service can be checked (docs/decisions/0050).
 */
export function createPresence(table: Table, everySeconds: number) {
  let last: Date | undefined;
  return async (now: Date): Promise<void> => {
    if (last && now < addSeconds(last, everySeconds / 2)) return;
    const before = await noteSign(table, now, addSeconds(now, everySeconds * 2));
    last = now;
    if (before && before.late_after < now.toISOString()) {
      const absence = { from: before.seen_at, until: now.toISOString() };
      await saveAbsences(table, [...before.absences, absence].slice(-absencesKept));
    }
  };
}

/** Returns the previous sign to only one caller, however many write at once. */
async function noteSign(table: Table, now: Date, lateAfter: Date) {
  const { Attributes } = await updateItem(table, {
    Key: presenceKey(),
    ...writeChange({
      set: {
        type: 'presence',
        schema_version: 1,
        seen_at: now.toISOString(),
        late_after: lateAfter.toISOString(),
      },
    }),
    ReturnValues: 'ALL_OLD',
  });
  return Attributes && presenceFromItem(Attributes);
}

async function saveAbsences(
  table: Table,
  absences: readonly v.InferOutput<typeof StoredAbsence>[],
): Promise<void> {
  await changeItem(table, presenceKey(), { set: { absences } });
}

/**
 * Reads the latest absences, oldest first, including one that is just ending and not recorded yet.
 */
export async function readAbsences(table: Table, now: Date): Promise<readonly Absence[]> {
  const presence = await readItem(table, presenceKey(), presenceFromItem);
  if (!presence) return [];
  const { absences, seen_at: from, late_after } = presence;
  const until = now.toISOString();
  const all = late_after < until ? [...absences, { from, until }] : absences;
  return all.map((absence) => ({ from: new Date(absence.from), until: new Date(absence.until) }));
}
