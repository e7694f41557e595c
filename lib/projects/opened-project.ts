import * as v from 'valibot';
import type { Project } from '#lib/catalog/hpc-system.ts';
import {
  attribute,
  defineItem,
  flag,
  map,
  number,
  optional,
  type Stored,
  text,
} from '#lib/table/define-item.ts';
import { openedProjectKey, type ProjectKey } from '#lib/table/keys.ts';
import { StoredProjectName, StoredSystemName } from '#lib/table/stored-names.ts';

/** A project that an administrator opened at run time, besides those of the catalog. */
const storedProject = defineItem('project', () => ({
  number: number('number'),
  hpc: attribute('hpc', StoredSystemName),
  name: attribute('project_name', StoredProjectName),
  description: text('description'),
  maxLivingJobs: number('max_living_jobs'),
  closed: flag('closed'),
  /** Set if members draw from the project's budget directly. */
  shared: optional(attribute('shared', v.literal(true))),
  /** The group of the identity provider whose people are members. */
  members: optional(map('members', { group: text('group') })),
  /** Increases with every change. A write names the revision that it read. */
  revision: number('revision'),
}));

export interface OpenedProject extends Stored<typeof storedProject> {}

export function projectKeyOf({ hpc, name }: Project): ProjectKey {
  return { hpc, project: name };
}

export function openedProjectToItem(project: OpenedProject) {
  return { ...openedProjectKey(projectKeyOf(project)), ...storedProject.format(project) };
}

export const openedProjectFromItem: (stored: unknown) => OpenedProject = storedProject.parse;
