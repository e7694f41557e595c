import { catalog } from '#lib/catalog/catalog.ts';
import { ConnectorEnvironment, readEnvironment } from '#lib/config.ts';
import { openGuardedConnectors, readConnectorOptions } from '#lib/hpc/open/open-connector.ts';
import type { WaitingContext } from '#lib/jobs/chains/prepare-input.ts';
import { jobFiles } from './job-files.ts';
import { table } from './table.ts';

const options = readConnectorOptions(readEnvironment(ConnectorEnvironment));

/** What the functions that release waiting jobs work with. */
export const waitingContext: WaitingContext = {
  table,
  catalog,
  files: jobFiles,
  connect: openGuardedConnectors(table, options),
  now: () => new Date(),
};
