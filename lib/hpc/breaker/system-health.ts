import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { systemBreakerKey, systemHealthKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import { StoredSystemName } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import { breakerFromItem, breakerType } from './breaker.ts';
import { type BreakerPhase, type BreakerState, closedBreaker, findPhase } from './breaker-rules.ts';

/** `unknown` where nobody has looked for a while. */
export type SystemState = 'up' | 'down' | 'unknown';

const HealthItem = v.object({
  hpc: StoredSystemName,
  healthy: v.boolean(),
  checked_at: v.string(),
});
const AnyItem = v.looseObject({ type: v.optional(v.string()), hpc: StoredSystemName });

/** Sweeps look every minute: after three of them that said nothing, nothing is known. */
const goodForSeconds = 180;
/** A state that has not changed is written again only this often. */
const repeatSeconds = 60;

/** Remembers what a container has written, so that a sweep twice a second does not write as often. */
export function createHealthRecorder(table: Table) {
  const written = new Map<string, { healthy: boolean; at: number }>();
  return async (hpc: SystemName, healthy: boolean, at: Date): Promise<void> => {
    const last = written.get(hpc);
    const isRecent = last !== undefined && Math.abs(at.getTime() - last.at) < repeatSeconds * 1000;
    if (isRecent && last.healthy === healthy) return;
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: {
          ...systemHealthKey(hpc),
          type: 'system-health',
          schema_version: 1,
          hpc,
          healthy,
          checked_at: at.toISOString(),
        },
      }),
    );
    written.set(hpc, { healthy, at: at.getTime() });
  };
}

/** What is known of a system: its state, and what its breaker remembers. */
export interface SystemReport {
  readonly state: SystemState;
  readonly breaker: BreakerState;
  readonly phase: BreakerPhase;
}

/**
 * What was last seen of each system, and `down` where it is not even called; throws where the
 * table itself cannot be reached.
 */
export async function readSystemReports(
  table: Table,
  systems: readonly SystemName[],
  now = new Date(),
): Promise<ReadonlyMap<string, SystemReport>> {
  const items = await readStates(table, systems);
  return new Map(
    systems.map((hpc) => {
      const own = items.filter((item) => item.hpc === hpc);
      const stored = own.find(({ type }) => type === breakerType);
      const health = own.find((item) => item !== stored);
      const breaker = stored ? breakerFromItem(stored) : closedBreaker;
      const phase = findPhase(breaker, now);
      const state = phase === 'open' ? 'down' : judgeHealth(health, now);
      return [hpc, { state, breaker, phase }];
    }),
  );
}

function judgeHealth(item: unknown, now: Date): SystemState {
  if (item === undefined) return 'unknown';
  const { healthy, checked_at } = parseItem(HealthItem, item);
  // A look from the future was before the clock was set back, so nobody knows when it was.
  const age = Math.abs(now.getTime() - Date.parse(checked_at));
  if (age > goodForSeconds * 1000) return 'unknown';
  return healthy ? 'up' : 'down';
}

/** Whatever keeps the table from answering: who asks how the service is learns that it is down. */
async function readStates(table: Table, systems: readonly SystemName[]) {
  const keys = systems.flatMap((hpc) => [systemHealthKey(hpc), systemBreakerKey(hpc)]);
  try {
    const items = await readItems(table, keys, { consistent: false });
    return items.map((item) => parseItem(AnyItem, item));
  } catch (error) {
    throw new TableUnavailableError({ cause: error });
  }
}
