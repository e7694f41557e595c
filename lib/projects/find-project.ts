import { projectOfCatalog } from '#lib/catalog/catalog.ts';
import { ProjectNotFoundError } from '#lib/catalog/errors.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import { isProjectName } from '#lib/catalog/identifiers.ts';
import { createShortMemory } from '#lib/memory/short-memory.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { readOpenedProject } from './opened-project-store.ts';

export type FindProject = (system: HpcSystem, name: string) => Promise<Project>;

/** More projects than one container sees in a minute. */
const mostRemembered = 1_000;

const maxAgeMs = 60_000;

/**
 * Finds projects with their current state: whether they are closed, and their limit. A project of
 * the catalog costs no read, any other costs one.
 */
export function findProjectsNow(table: Table): FindProject {
  return findWith((key) => readOpenedProject(table, key));
}

/**
 * Finds projects for callers that need only the name and number, which never change. Each is read
 * once a minute per container. A missing project is not remembered, so a new one is found at once.
 */
export function findProjectsByNumber(table: Table, now: () => number = Date.now): FindProject {
  const memory = createShortMemory<Project>({ most: mostRemembered, maxAgeMs, now });
  return findWith(async (key) => {
    const name = `${key.hpc} ${key.project}`;
    const known = memory.recall(name);
    if (known) return known;
    const project = await readOpenedProject(table, key);
    if (project) memory.keep(name, project);
    return project;
  });
}

function findWith(read: (key: ProjectKey) => Promise<Project | undefined>): FindProject {
  return async (system, name) => {
    const ofCatalog = projectOfCatalog(system, name);
    if (ofCatalog) return ofCatalog;
    const project = isProjectName(name)
      ? await read({ hpc: system.name, project: name })
      : undefined;
    if (!project) throw new ProjectNotFoundError(system.name, name);
    return project;
  };
}
