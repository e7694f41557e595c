import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import {
  ConnectorEnvironment,
  FilesEnvironment,
  HandOverEnvironment,
  readEnvironment,
} from '#lib/config.ts';
import { parseDueJobs } from '#lib/events/due-jobs-event.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { openSystems, readConnectorOptions } from '#lib/hpc/open/open-connector.ts';
import { createJobAddresses } from '#lib/http/presenters/job-addresses.ts';
import { advanceDue } from '#lib/jobs/run/advance-jobs.ts';
import { beginSweep } from '#lib/jobs/run/sweep/sweep.ts';
import { table } from '../table.ts';

const files = openJobFiles(readEnvironment(FilesEnvironment));
const addressesOf = createJobAddresses(readEnvironment(HandOverEnvironment));
const visitSystem = openSystems(table, readConnectorOptions(readEnvironment(ConnectorEnvironment)));

/**
 * Hands over the new jobs of one system, and passes on cancellations. Never fails because a system
 * is down: unfinished work stays due, and the schedule retries it.
 */
export async function handler(
  event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const { hpc, due } = parseDueJobs(event);
  const system = findSystem(catalog, hpc);
  const leftMs = () => context.getRemainingTimeInMillis();
  await visitSystem(system, (visit) =>
    advanceDue(beginSweep({ table, files, addressesOf }, system, visit, leftMs), due),
  );
}
