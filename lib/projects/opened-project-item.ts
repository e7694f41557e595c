import * as v from 'valibot';
import { openedProjectKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredProjectName, StoredSystemName } from '#lib/table/stored-names.ts';
import { type OpenedProject, projectKeyOf } from './opened-project.ts';

const OpenedProjectItem = v.object({
  type: v.literal('project'),
  schema_version: v.literal(1),
  number: v.number(),
  hpc: StoredSystemName,
  project_name: StoredProjectName,
  description: v.string(),
  max_living_jobs: v.number(),
  closed: v.boolean(),
  revision: v.number(),
});

export function openedProjectToItem(project: OpenedProject) {
  return {
    ...openedProjectKey(projectKeyOf(project)),
    type: 'project',
    schema_version: 1,
    number: project.number,
    hpc: project.hpc,
    project_name: project.name,
    description: project.description,
    max_living_jobs: project.maxLivingJobs,
    closed: project.closed,
    revision: project.revision,
  } satisfies v.InferInput<typeof OpenedProjectItem> & ReturnType<typeof openedProjectKey>;
}

export function openedProjectFromItem(stored: unknown): OpenedProject {
  const item = parseItem(OpenedProjectItem, stored);
  return {
    number: item.number,
    hpc: item.hpc,
    name: item.project_name,
    description: item.description,
    maxLivingJobs: item.max_living_jobs,
    closed: item.closed,
    revision: item.revision,
  };
}
