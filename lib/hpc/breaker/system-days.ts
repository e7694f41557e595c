import * as v from 'valibot';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { systemDayKey, systemDays } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { queryAll } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { changeIf } from '#lib/table/writes.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';

/** `slow` if the system answered, but only after a second or more. */
export type CheckOutcome = 'up' | 'slow' | 'down';

const slowAfterMs = 1000;

export function judgeAnswer(tookMs: number): CheckOutcome {
  return tookMs < slowAfterMs ? 'up' : 'slow';
}

/** The minutes of a day in UTC, by what the check in each of them found. */
export interface SystemDay {
  /** Such as `2026-11-15`. */
  readonly day: string;
  readonly up: number;
  readonly slow: number;
  readonly down: number;
}

export const mostDays = 30;

const daySeconds = 86_400;
const minuteMs = 60_000;

const DayItem = v.object({
  day: v.string(),
  up: v.optional(v.number(), 0),
  slow: v.optional(v.number(), 0),
  down: v.optional(v.number(), 0),
});

function dayFromItem(stored: unknown): SystemDay {
  const { day, up, slow, down } = parseItem(DayItem, stored);
  return { day, up, slow, down };
}

/**
 * Counts one check in a minute. The condition keeps retries and other containers from counting the
 * same minute again. Remembers what this container counted, so that frequent sweeps do not write
 * each time.
 */
export function createDayRecorder(table: Table) {
  const counted = new Map<string, string>();
  return async (hpc: SystemName, outcome: CheckOutcome, at: Date): Promise<void> => {
    const minute = new Date(Math.floor(at.getTime() / minuteMs) * minuteMs).toISOString();
    if (counted.get(hpc) === minute) return;
    const day = writeDay(at);
    await changeIf(table, systemDayKey(hpc, day), {
      set: {
        type: 'system-day',
        schema_version: 1,
        hpc,
        day,
        counted_at: minute,
        expires_at: Math.ceil(at.getTime() / 1000) + (mostDays + 1) * daySeconds,
      },
      add: { [outcome]: 1 },
      when: ['(attribute_not_exists(#counted_at) OR #counted_at <> :counted_at)'],
    });
    counted.set(hpc, minute);
  };
}

/** Reads the last days of a system, today included, the oldest first. */
export async function readSystemDays(
  table: Table,
  hpc: SystemName,
  count: number,
  now = new Date(),
): Promise<readonly SystemDay[]> {
  const days = listDays(now, count);
  const { PK, from, to } = systemDays(hpc, days[0] ?? '', days.at(-1) ?? '');
  const found = await queryAll(
    table,
    {
      KeyConditionExpression: 'PK = :system AND SK BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':system': PK, ':from': from, ':to': to },
      ConsistentRead: true,
    },
    dayFromItem,
  );
  return days.map(
    (day) => found.find((each) => each.day === day) ?? { day, up: 0, slow: 0, down: 0 },
  );
}

function listDays(until: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    writeDay(addSeconds(until, (index + 1 - count) * daySeconds)),
  );
}

function writeDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
