import type { Slipway } from '../../index.ts';
import { matchProjects, type ProjectPlace, writePlace } from '../../rows/match-projects.ts';
import { CannotDo, outcome } from '../outcome/outcome.ts';

/** The project that somebody means by its name or by the name of its system. */
export async function findProject(client: Slipway, wanted: string): Promise<ProjectPlace> {
  const projects = await client.listProjects();
  const [place, ...others] = matchProjects(projects, wanted);
  if (!place) {
    const known = projects.map((each) => each.project_name).join(', ');
    throw new CannotDo(`There is no project '${wanted}'.`, {
      outcome: outcome.refused,
      next: `The projects are: ${known}.`,
    });
  }
  if (others.length > 0) {
    const names = [place, ...others].map(writePlace).join(' or ');
    throw new CannotDo(`'${wanted}' is on several systems.`, { next: `Write ${names}.` });
  }
  return place;
}
