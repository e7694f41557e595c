import { join } from 'node:path';
import { chooseSystems } from '#lib/catalog/chosen-systems.ts';
import { openTable } from '#lib/table/table.ts';
import { tableName } from '#local/names.ts';
import { startService } from '#local/start-service.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { exitWith } from '#tools/run-tool.ts';
import { exitOnSignals } from './processes.ts';
import { seedEndedJobs, seedOwner } from './seed-ended-jobs.ts';

/** The program that seedFolder starts. Its service runs no jobs. */
exitOnSignals();
const [, , folder = '', count] = process.argv;
await exitWith(async () => {
  chooseSystems(catalog.systems);
  const service = await startService({
    port: 0,
    dataDirectory: join(folder, 'data'),
    stateDirectory: join(folder, '.slipway'),
  });
  const table = openTable(tableName);
  await seedEndedJobs(table, seedOwner, Number(count));
  table.client.destroy();
  await service.close();
  return 0;
});
process.exit();
