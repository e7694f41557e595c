import { joinsByGroup } from '#lib/budgets/joins-by-group.ts';
import { catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import { readBudget } from '#lib/config.ts';
import type { Caller } from '#lib/http/chain/api-context.ts';
import type { InputSource } from '#lib/jobs/submit/submission.ts';
import { sampleSizes } from '#lib/telemetry/sample-sizes.ts';
import { jobFiles } from './job-files.ts';
import { table } from './table.ts';

sampleSizes(table.client);

/** What jobs and batches are submitted with. */
export const context = { table, catalog, inputs: jobFiles.inputs, budget: readBudget() };

interface Submitted<Payload> {
  readonly caller: Caller;
  readonly path: { readonly hpc: HpcSystem; readonly project_name?: Project | undefined };
  readonly headers: { readonly payload: Payload; readonly fileName: string };
  readonly body: InputSource;
}

/** Puts together what a caller submits, a job or a batch. */
export function submissionOf<Payload>({ caller, path, headers, body }: Submitted<Payload>) {
  const { hpc: system, project_name: project = defaultProject(system) } = path;
  const { userId: owner, groups = [], claims } = caller;
  const joins = joinsByGroup({ project, groups });
  const input = { fileName: headers.fileName, source: body };
  return { owner, system, project, joins, claims, ...headers.payload, input };
}
