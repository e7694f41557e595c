import { BatchGetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { TableUnavailableError } from '../table/errors.ts';
import { systemHealthKey } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Table } from '../table/table.ts';

/** `unknown` where nobody has looked for a while. */
export type SystemState = 'up' | 'down' | 'unknown';

const HealthItem = v.object({ hpc: v.string(), healthy: v.boolean(), checked_at: v.string() });

/** Sweeps look every minute: after three of them that said nothing, nothing is known. */
const goodForSeconds = 180;
/** A state that has not changed is written again only this often. */
const repeatSeconds = 60;

/** Remembers what a container has written, so that a sweep twice a second does not write as often. */
export function createHealthRecorder(table: Table) {
  const written = new Map<string, { healthy: boolean; at: number }>();
  return async (hpc: string, healthy: boolean, at: Date): Promise<void> => {
    const last = written.get(hpc);
    const isRecent = last !== undefined && at.getTime() - last.at < repeatSeconds * 1000;
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

/** What was last seen of each system; throws where the table itself cannot be reached. */
export async function readSystemStates(
  table: Table,
  systems: readonly string[],
  now = new Date(),
): Promise<ReadonlyMap<string, SystemState>> {
  const items = await readItems(table, systems);
  return new Map(
    systems.map((hpc) => {
      const item = items.find((each) => each.hpc === hpc);
      return [hpc, judge(item, now)];
    }),
  );
}

function judge(item: v.InferOutput<typeof HealthItem> | undefined, now: Date): SystemState {
  if (!item) return 'unknown';
  const age = now.getTime() - Date.parse(item.checked_at);
  if (age > goodForSeconds * 1000) return 'unknown';
  return item.healthy ? 'up' : 'down';
}

async function readItems(table: Table, systems: readonly string[]) {
  try {
    const { Responses = {} } = await table.client.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: systems.map(systemHealthKey) } },
      }),
    );
    return (Responses[table.name] ?? []).map((item) => parseItem(HealthItem, item));
  } catch (error) {
    throw new TableUnavailableError({ cause: error });
  }
}
