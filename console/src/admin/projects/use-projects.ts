import type { Project } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import { type Live, useLive } from '../../live/use-live.ts';

/** All of them, read anew after each act. */
export function useProjects({ service }: Session): Live<readonly Project[]> {
  return useLive('projects', (signal) => service.listProjects({}, { signal }));
}

/** Those of the catalog are the operator's, and have no description of their own. */
export function isOfCatalog({ closed }: Project): boolean {
  return closed === undefined;
}
