import type { DynamoDBStreamEvent } from 'aws-lambda';
import { catalog } from '#lib/catalog/catalog.ts';
import {
  ConnectorEnvironment,
  FilesEnvironment,
  readEnvironment,
  TableEnvironment,
} from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { readConnectorOptions } from '#lib/hpc/open/open-connector.ts';
import { openSystems } from '#lib/hpc/open/open-systems.ts';
import { advanceDue } from '#lib/jobs/run/advance-jobs.ts';
import { groupDueJobs } from '#lib/jobs/run/due-jobs.ts';
import { shareTable } from '#lib/table/share-table.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const files = openJobFiles(readEnvironment(FilesEnvironment));
const options = readConnectorOptions(readEnvironment(ConnectorEnvironment));
const visitSystems = openSystems(table, catalog.systems, options);

/**
 * Hands new jobs over as soon as they are written, and tells of cancels. What it cannot do stays
 * due, for the schedule: so it never fails a batch over a system that is down.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  const now = new Date();
  const dueBySystem = groupDueJobs(Records, now);
  await visitSystems(
    now,
    async ({ system, connector, isPaused }) => {
      const due = isPaused() ? [] : (dueBySystem.get(system.name) ?? []);
      await advanceDue({ table, files, now, system, connector }, due);
    },
    ({ name }) => dueBySystem.has(name),
  );
}
