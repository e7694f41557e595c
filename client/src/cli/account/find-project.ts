import type { Project, Slipway } from '../../index.ts';
import { CannotDo, outcome } from '../outcome/outcome.ts';

export interface ProjectPlace {
  readonly hpc: string;
  readonly project_name: string;
}

/**
 * A project by its name where that is enough, by `hpc_one/name` where two systems have one of that
 * name, or the default project of a system by the name of the system.
 */
export async function findProject(client: Slipway, wanted: string): Promise<ProjectPlace> {
  const projects = await client.listProjects();
  const [system, name] = wanted.includes('/') ? wanted.split('/') : [undefined, wanted];
  const found = projects.filter(
    (each) => each.project_name === name && (system === undefined || hpcOf(each) === system),
  );
  const [project, ...others] = found.length > 0 ? found : findDefault(projects, wanted);
  if (!project) {
    const known = projects.map((each) => each.project_name).join(', ');
    throw new CannotDo(`There is no project '${wanted}'.`, {
      outcome: outcome.refused,
      next: `The projects are: ${known}.`,
    });
  }
  if (others.length > 0) {
    const names = found.map((each) => `${hpcOf(each)}/${each.project_name}`).join(' or ');
    throw new CannotDo(`'${wanted}' is on several systems.`, { next: `Write ${names}.` });
  }
  return { hpc: hpcOf(project), project_name: project.project_name };
}

function findDefault(projects: readonly Project[], system: string): readonly Project[] {
  return projects.filter((each) => each.default && hpcOf(each) === system);
}

function hpcOf({ project_hpc: hpc }: Project): string {
  return hpc.toLowerCase();
}
