import { ConnectorEnvironment, HandOverEnvironment, readEnvironment } from '#lib/config.ts';
import { openSystems, readConnectorOptions } from '#lib/hpc/open/open-connector.ts';
import { createJobAddresses } from '#lib/http/presenters/job-addresses.ts';
import { jobFiles } from './job-files.ts';
import { table } from './table.ts';

/** What the functions that hand over jobs work with. */
export const stores = {
  table,
  files: jobFiles,
  addressesOf: createJobAddresses(readEnvironment(HandOverEnvironment)),
};

export const visitSystem = openSystems(
  table,
  readConnectorOptions(readEnvironment(ConnectorEnvironment)),
);
