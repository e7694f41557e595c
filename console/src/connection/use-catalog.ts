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

/** What the stages of jobs mean; the systems' own words until the catalog is here. */
export const stageOf = signal(describeStages([]));

/** The systems and projects there are; they change rarely. */
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

/** What a second is a second of on this system; without one, on all systems together. */
export function chargingOf(catalog: Catalog | undefined, projectHpc?: string): Charging {
  const systems = (catalog?.systems ?? []).filter(
    ({ project_hpc: name }) => projectHpc === undefined || name === projectHpc,
  );
  return joinCharging(systems.map(({ charging }) => charging));
}

/** Projects to choose from: in a closed one nothing can be submitted. */
export function openProjects(catalog: Catalog | undefined): readonly Project[] {
  return catalog?.projects.filter(({ closed }) => closed !== true) ?? [];
}

/** Whether the system of a job keeps what the job has written when it is cancelled. */
export function keepsOutput(
  catalog: Catalog | undefined,
  { project_hpc }: Pick<Job, 'project_hpc'>,
): boolean {
  const system = catalog?.systems.find((each) => each.project_hpc === project_hpc);
  return system?.cancel_keeps_output ?? true;
}
