import { catalog } from '#lib/catalog/catalog.ts';
import { ConnectorEnvironment, EventsEnvironment, readEnvironment } from '#lib/config.ts';
import { announceDueJobs } from '#lib/events/due-jobs-event.ts';
import { openBus } from '#lib/events/publish-events.ts';
import { openGuardedConnectors, readConnectorOptions } from '#lib/hpc/open/open-connector.ts';
import type { WaitingContext } from '#lib/jobs/after/attend-waiting.ts';
import type { DueKey } from '#lib/table/due-index.ts';
import { jobFiles } from './job-files.ts';
import { table } from './table.ts';

const bus = openBus(readEnvironment(EventsEnvironment).EVENT_BUS_NAME);
const options = readConnectorOptions(readEnvironment(ConnectorEnvironment));
const connect = openGuardedConnectors(table, options);

/**
 * Announces the jobs that `work` releases, so that they are handed over at once. Also does so if
 * the work fails halfway.
 */
export async function withReleases(work: (context: WaitingContext) => Promise<void>) {
  const released = new Map<string, DueKey[]>();
  const onRelease = (hpc: string, due: DueKey): void => {
    released.set(hpc, [...(released.get(hpc) ?? []), due]);
  };
  const now = () => new Date();
  try {
    await work({ table, catalog, files: jobFiles, connect, now, onRelease });
  } finally {
    if (released.size > 0) await announceDueJobs(bus, released);
  }
}
