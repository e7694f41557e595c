import type { Slipway } from '../../index.ts';
import { type ProjectPlace, writePlace } from '../../rows/match-projects.ts';
import { findProject } from '../session/find.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

/** The option of every command about a project that somebody leads. */
export function projectOption() {
  return ['-p, --project <project>', phrase('project.projectDefault')] as const;
}

/** Finds the project that is meant. Whoever leads only one need not name it. */
export function findLed(wanted: string | undefined) {
  return async (client: Slipway): Promise<ProjectPlace> => {
    if (wanted !== undefined) return findProject(client, wanted);
    const led = await listLed(client);
    const [only, ...others] = led;
    if (!only) {
      throw new CannotDo(phrase('project.youLeadNoProjects'), {
        outcome: outcome.refused,
        next: phrase('project.administratorsNameLeaders'),
      });
    }
    if (others.length === 0) return only;
    const names = led.map(writePlace).join(', ');
    throw new CannotDo(phrase('project.youLeadProjects', { count: led.length, names }), {
      next: phrase('project.chooseOne', { place: writePlace(only) }),
    });
  };
}

export async function listLed(client: Slipway): Promise<ProjectPlace[]> {
  const projects = await client.listProjects({ led: true });
  return projects.map(({ project_hpc: hpc, project_name }) => ({
    hpc: hpc.toLowerCase(),
    project_name,
  }));
}
