import { writeChange } from '#lib/table/change.ts';
import { defineItem, list, moment, optional, type Stored } from '#lib/table/define-item.ts';
import { presenceKey } from '#lib/table/keys.ts';
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

const storedPresence = defineItem('presence', {
  seenAt: moment('seen_at'),
  /** A later sign of life ends an absence. */
  lateAfter: moment('late_after'),
  absences: optional(list('absences', { from: moment('from'), until: moment('until') })),
});

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
    if (!before || before.lateAfter >= now) return;
    const absences = listAbsences(before, now).slice(-absencesKept);
    const set = storedPresence.formatPart({ absences });
    await changeItem(table, presenceKey(), { set });
  };
}

/** Returns the previous sign to only one caller, however many write at once. */
async function noteSign(table: Table, seenAt: Date, lateAfter: Date) {
  const { Attributes } = await updateItem(table, {
    Key: presenceKey(),
    ...writeChange({ set: storedPresence.format({ seenAt, lateAfter }) }),
    ReturnValues: 'ALL_OLD',
  });
  return Attributes && storedPresence.parse(Attributes);
}

/**
 * Reads the latest absences, oldest first, including one that is just ending and not recorded yet.
 */
export async function readAbsences(table: Table, now: Date): Promise<readonly Absence[]> {
  const presence = await readItem(table, presenceKey(), storedPresence.parse);
  return presence ? listAbsences(presence, now) : [];
}

function listAbsences(
  { absences = [], seenAt, lateAfter }: Stored<typeof storedPresence>,
  now: Date,
): readonly Absence[] {
  return lateAfter < now ? [...absences, { from: seenAt, until: now }] : absences;
}
