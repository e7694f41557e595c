import { sendsResults } from '#lib/catalog/sends-results.ts';
import { ConnectorEnvironment, readEnvironment } from '#lib/config.ts';
import type { FetchedFile } from '#lib/files/results/job-file.ts';
import { openFileSource } from '#lib/files/results/open-file-source.ts';
import { openGuardedConnectors, readConnectorOptions } from '#lib/hpc/open/open-connector.ts';
import { type ApiRequest, answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { presentFiles } from '#lib/http/presenters/present-job.ts';
import { type ApiResponse, ok, okFile, seeOther } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { createJobFinder } from '#lib/jobs/read/create-job-finder.ts';
import { endpoints } from '../endpoints.ts';
import { jobFiles } from '../job-files.ts';
import { table } from '../table.ts';

const options = readConnectorOptions(readEnvironment(ConnectorEnvironment));
const connect = openGuardedConnectors(table, options);
const findJob = createJobFinder(table);

export const handler = projectHandler(endpoints, 'read-files', table, {
  list: answer({}, async (request) => {
    const files = await openFiles(request);
    return ok(presentFiles(await files.list()));
  }),
  one: answer({}, async (request) =>
    sendFile(await (await openFiles(request)).fetch(request.path.file_id)),
  ),
});

async function openFiles({ caller, path }: ApiRequest<'/{hpc}/{project_name}/{job_id}/'>) {
  const { hpc, job_id: id } = path;
  const areSent = sendsResults(hpc);
  const job = await findJob({ user: caller.userId, ...projectAt(path) }, id, areSent);
  return openFileSource(job, {
    sendsResults: areSent,
    connect: () => connect(hpc),
    table,
    results: jobFiles.results,
  });
}

function sendFile(file: FetchedFile): ApiResponse {
  if (file.kind === 'address') return seeOther(file.address);
  const { name, bytes, startsAt } = file;
  return okFile(name, bytes, startsAt === undefined ? {} : { 'file-starts-at': String(startsAt) });
}
