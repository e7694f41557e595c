import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import { environmentOf } from '#lib/catalog/datasets.ts';
import { hasLiveOutput } from '#lib/catalog/hpc-system.ts';
import { folderVariable, keptFolderOf } from '#lib/catalog/project-folders.ts';
import { serviceFetches } from '#lib/catalog/service-fetches.ts';
import { writeContainerScript } from '#lib/hpc/aws-batch/container-script.ts';
import { limitOf } from '#lib/hpc/script/script-terms.ts';
import type { Table } from '#lib/table/table.ts';
import { roundUp } from '#lib/time/round-up.ts';
import { JobNotFoundError } from '../errors.ts';
import type { Job } from '../job.ts';
import { readRequest } from '../job-request.ts';
import type { JobAddresses } from '../run/sweep/sweep.ts';
import { describeTransfers } from './addressed-files.ts';

/** Writes the script of a job whose container fetches it. */
export async function writeScript(
  { table, catalog }: { readonly table: Table; readonly catalog: Catalog },
  job: Job,
  addresses: JobAddresses,
): Promise<string> {
  const request = await readRequest(table, job);
  if (!request) throw new JobNotFoundError();
  const { input, output, results } = addresses;
  const system = findSystem(catalog, job.project.hpc);
  const { connector } = system;
  const { fetches, ...others } = request;
  const moved = serviceFetches(system) ? others : { ...others, fetches };
  const folder = keptFolderOf(system, job.project.name);
  return writeContainerScript({
    command: request.program,
    environment: {
      ...environmentOf(system, job.project.name, request.environment),
      ...(folder?.path !== undefined && { [folderVariable]: folder.path }),
    },
    folder,
    ...describeTransfers(system, moved, addresses),
    ...(request.input.key !== undefined && { input }),
    ...(hasLiveOutput(system) && { output }),
    results,
    repeats: connector.kind === 'batch' && connector.spot === true,
    ...limitOf(roundUp(job.runtime * 60)),
  });
}
