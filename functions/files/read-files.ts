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
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentFile, sendFile } from '#lib/http/presenters/present-files.ts';
import { ok } from '#lib/http/respond.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const { results } = openJobFiles(readEnvironment(FilesEnvironment));
const options = readConnectorOptions(readEnvironment(ConnectorEnvironment));
const connect = openGuardedConnectors(table, options);

export const handler = apiHandler(routes, routes['read-files'], async ({ caller, path, event }) => {
  refuseQuery(event);
  const { hpc, project_name: project, job_id: jobId, file_id: fileId } = path;
  const account = { user: caller.userId, hpc: hpc.name, project: project.name };
  const job = await findJob(table, account, jobId);
  const { handle } = await findLife(table, account, jobId);
  const source = openFileSource(
    { ...job, handle },
    { sendsResults: sendsResults(hpc), connect: () => connect(hpc), results },
  );
  if (fileId === undefined) return ok((await source.list()).map(presentFile));
  return sendFile(await source.fetch(fileId));
});
