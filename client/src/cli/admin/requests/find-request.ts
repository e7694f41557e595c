import type { JudgedRequest, Slipway } from '../../../index.ts';
import type { ProjectPlace } from '../../../rows/match-projects.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';

/** A user has at most one open request in a project: nobody needs its id. */
export async function findRequest(
  client: Slipway,
  user: string,
  { hpc, project_name: project }: ProjectPlace,
): Promise<JudgedRequest> {
  for await (const request of client.listAllRequests({ state: 'open' })) {
    const { user: asker, project_name: name, project_hpc: system } = request;
    if (asker === user && name === project && system.toLowerCase() === hpc) return request;
  }
  throw new CannotDo(`${user} has no open request in ${project}.`, {
    outcome: outcome.refused,
    next: 'All that are open: slipway admin requests',
  });
}
