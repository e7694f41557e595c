import type { Project, System } from '#client/src/index.ts';
import { useLive } from '../live/use-live.ts';
import type { Session } from './session.ts';

export interface Catalog {
  readonly systems: readonly System[];
  readonly projects: readonly Project[];
}

/** The systems and projects there are; they change rarely. */
export function useCatalog({ service }: Session): Catalog | undefined {
  const { value } = useLive('catalog', async (signal) => {
    const [systems, projects] = await Promise.all([
      service.listSystems({}, { signal }),
      service.listProjects({}, { signal }),
    ]);
    return { systems, projects };
  });
  return value;
}

/** What a second of a quota on this system is a second of. */
export function chargingOf(catalog: Catalog | undefined, projectHpc: string): System['charging'] {
  return catalog?.systems.find(({ project_hpc: name }) => name === projectHpc)?.charging ?? 'node';
}
