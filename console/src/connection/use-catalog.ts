import { signal } from '@preact/signals';
import { describeStages } from '#client/src/format/describe-stage.ts';
import { type Charging, joinCharging } from '#client/src/format/node-time.ts';
import type { Job, Project, System } from '#client/src/index.ts';
import { useLive } from '../live/use-live.ts';
import type { Session } from './session.ts';

export interface Catalog {
  readonly systems: readonly System[];
  readonly projects: readonly Project[];
}

/** Says what the stages of jobs mean. Until the catalog is loaded, it has the systems' own words. */
export const stageOf = signal(describeStages([]));

/** Loads the systems and projects. They change rarely. */
export function useCatalog({ service }: Session): Catalog | undefined {
  const { value } = useLive('catalog', async (signal) => {
    const [systems, projects] = await Promise.all([
      service.listSystems({}, { signal }),
      service.listProjects({}, { signal }),
    ]);
    stageOf.value = describeStages(systems);
    return { systems, projects };
  });
  return value;
}

/** Returns the unit that a system charges in. Without a system, the unit of all systems together. */
export function chargingOf(catalog: Catalog | undefined, projectHpc?: string): Charging {
  const systems = (catalog?.systems ?? []).filter(
    ({ project_hpc: name }) => projectHpc === undefined || name === projectHpc,
  );
  return joinCharging(systems.map(({ charging }) => charging));
}

/** Lists the projects that accept jobs. */
export function openProjects(catalog: Catalog | undefined): readonly Project[] {
  return catalog?.projects.filter(({ closed }) => closed !== true) ?? [];
}

/** Lists the open projects as places, and a closed one only if it is chosen already. */
export function listPlaces(catalog: Catalog | undefined, chosen: string) {
  return (catalog?.projects ?? [])
    .map(({ project_hpc: hpc, project_name: project, closed }) => {
      const system = hpc.toLowerCase();
      return { place: `${system}/${project}`, hpc: system, project, closed };
    })
    .filter(({ place, closed }) => closed !== true || place === chosen);
}

/** Returns whether the job's system keeps the output of cancelled jobs. */
export function keepsOutput(
  catalog: Catalog | undefined,
  { project_hpc }: Pick<Job, 'project_hpc'>,
): boolean {
  const system = catalog?.systems.find((each) => each.project_hpc === project_hpc);
  return system?.cancel_keeps_output ?? true;
}
