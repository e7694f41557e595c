import { catalog } from '#lib/catalog/catalog.ts';
import { readSystemReports } from '#lib/hpc/breaker/system-health.ts';
import { publicHandler } from '#lib/http/chain/api-handler.ts';
import { answerAnybody } from '#lib/http/chain/operation.ts';
import { presentStatus } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { runningVersion } from '#lib/telemetry/running-version.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = publicHandler(endpoints, 'read-status', {
  read: answerAnybody({ query: 'ignored' }, async () => {
    const names = catalog.systems.map(({ name }) => name);
    const now = new Date();
    const reports = await readSystemReports(table, names, now);
    return ok(presentStatus(catalog.systems, reports, { version: runningVersion, now }));
  }),
});
