import { attribute, defineItem, flag, number, text } from '#lib/table/define-item.ts';
import { openedProjectKey } from '#lib/table/keys.ts';
import { StoredProjectName, StoredSystemName } from '#lib/table/stored-names.ts';
import { type OpenedProject, projectKeyOf } from './opened-project.ts';

const storedProject = defineItem('project', {
  number: number('number'),
  hpc: attribute('hpc', StoredSystemName),
  name: attribute('project_name', StoredProjectName),
  description: text('description'),
  maxLivingJobs: number('max_living_jobs'),
  closed: flag('closed'),
  revision: number('revision'),
});

export function openedProjectToItem(project: OpenedProject) {
  return { ...openedProjectKey(projectKeyOf(project)), ...storedProject.format(project) };
}

export function openedProjectFromItem(stored: unknown): OpenedProject {
  return storedProject.parse(stored);
}
