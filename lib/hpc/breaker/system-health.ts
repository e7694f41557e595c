import * as v from 'valibot';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { listCurrent } from '#lib/systems/judge-maintenance.ts';
import {
  type MaintenanceWindow,
  maintenanceFromItem,
  maintenanceType,
} from '#lib/systems/maintenance.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { systemBreakerKey, systemHealthKey, systemMaintenanceKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItems } from '#lib/table/reads.ts';
import { StoredSystemName } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import { changeItem } from '#lib/table/writes.ts';
import { breakerFromItem, breakerType } from './breaker.ts';
import { type BreakerPhase, type BreakerState, closedBreaker, findPhase } from './breaker-rules.ts';

/** `unknown` if the last health check is too old. */
type SystemState = 'up' | 'down' | 'unknown';

const HealthItem = v.object({
  hpc: StoredSystemName,
  healthy: v.boolean(),
  checked_at: v.string(),
  answered_at: v.optional(v.string()),
});
const AnyItem = v.looseObject({ type: v.optional(v.string()), hpc: StoredSystemName });

/** Sweeps check every minute. After three that did not report, the state is unknown. */
const goodForSeconds = 180;
/** An unchanged state is written only this often. */
const repeatSeconds = 60;

/** Remembers what this container wrote, so that frequent sweeps do not write each time. */
export function createHealthRecorder(table: Table) {
  const written = new Map<string, { healthy: boolean; at: number }>();
  return async (hpc: SystemName, healthy: boolean, at: Date): Promise<void> => {
    const last = written.get(hpc);
    const isRecent = last !== undefined && Math.abs(at.getTime() - last.at) < repeatSeconds * 1000;
    if (isRecent && last.healthy === healthy) return;
    await changeItem(table, systemHealthKey(hpc), {
      set: {
        type: 'system-health',
        schema_version: 1,
        hpc,
        healthy,
        checked_at: at.toISOString(),
        ...(healthy && { answered_at: at.toISOString() }),
      },
    });
    written.set(hpc, { healthy, at: at.getTime() });
  };
}

export interface SystemReport {
  readonly state: SystemState;
  /** When a health check was last answered. */
  readonly lastContact: Date | undefined;
  readonly breaker: BreakerState;
  readonly phase: BreakerPhase;
  /** The maintenance that is not over. */
  readonly windows: readonly MaintenanceWindow[];
}

/**
 * Reads the last known state of each system. A system whose breaker is open is `down`. Throws if
 * the table cannot be reached.
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
      const announced = own.find(({ type }) => type === maintenanceType);
      const found = own.find((item) => item !== stored && item !== announced);
      const health = found && parseItem(HealthItem, found);
      const breaker = stored ? breakerFromItem(stored) : closedBreaker;
      const phase = findPhase(breaker, now);
      const state = phase === 'open' ? 'down' : judgeHealth(health, now);
      const lastContact = health && findContact(health);
      const windows = announced ? listCurrent(maintenanceFromItem(announced).windows, now) : [];
      return [hpc, { state, lastContact, breaker, phase, windows }];
    }),
  );
}

type Health = v.InferOutput<typeof HealthItem>;

/** Older items say only how the last check ended. */
function findContact({ healthy, checked_at, answered_at }: Health): Date | undefined {
  const at = answered_at ?? (healthy ? checked_at : undefined);
  return at === undefined ? undefined : new Date(at);
}

function judgeHealth(health: Health | undefined, now: Date): SystemState {
  if (health === undefined) return 'unknown';
  const { healthy, checked_at } = health;
  // A check from the future was made before the clock was set back, so its age is unknown.
  const age = Math.abs(now.getTime() - Date.parse(checked_at));
  if (age > goodForSeconds * 1000) return 'unknown';
  return healthy ? 'up' : 'down';
}

/** Reports any failure of the table as an outage, because the caller asks for the service's health. */
async function readStates(table: Table, systems: readonly SystemName[]) {
  const keys = systems.flatMap((hpc) => [
    systemHealthKey(hpc),
    systemBreakerKey(hpc),
    systemMaintenanceKey(hpc),
  ]);
  try {
    const items = await readItems(table, keys, { consistent: false });
    return items.map((item) => parseItem(AnyItem, item));
  } catch (error) {
    throw error instanceof TableUnavailableError
      ? error
      : new TableUnavailableError({ cause: error });
  }
}
