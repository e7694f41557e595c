import type { Caller } from '#lib/http/caller.ts';
import {
  ConnectorEnvironment,
  FilesEnvironment,
  readEnvironment,
  TableEnvironment,
} from '#lib/config.ts';
import { openFileSource } from '#lib/files/results/open-file-source.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import {
  openGuardedConnectors,
  readConnectorOptions,
  sendsResults,
} from '#lib/hpc/open/open-connector.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { presentFile, sendFile } from '#lib/http/presenters/present-files.ts';
import { ok } from '#lib/http/respond.ts';
import type { PathOf } from '#lib/http/routes/route.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const { results } = openJobFiles(readEnvironment(FilesEnvironment));
const options = readConnectorOptions(readEnvironment(ConnectorEnvironment));
const connect = openGuardedConnectors(table, options);
const route = routes['read-files'];

export const handler = apiHandler(routes, route, {
  list: answer(route.paths.list, {}, async ({ caller, path }) => {
    const source = await openFiles(caller, path);
    return ok((await source.list()).map(presentFile));
  }),
  one: answer(route.paths.one, {}, async ({ caller, path }) => {
    const source = await openFiles(caller, path);
    return sendFile(await source.fetch(path.file_id));
  }),
});

async function openFiles(caller: Caller, path: PathOf<typeof route.paths.list>) {
  const { hpc, project_name: project, job_id: jobId } = path;
  const place = { owner: caller.userId, hpc: hpc.name, project: project.name };
  const job = await findJob(table, place, jobId);
  const { handle } = await findLife(table, place, jobId);
  return openFileSource(
    { ...job, handle },
    { sendsResults: sendsResults(hpc), connect: () => connect(hpc), results },
  );
}
