import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { countTableFaults } from '#lib/telemetry/count-table-faults.ts';

/** The table of this deployment. */
export const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);

countTableFaults(table.client);
