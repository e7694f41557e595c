import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Charging, joinCharging } from '#client/src/format/amounts/amounts.ts';
import { describeStages } from '#client/src/format/jobs/describe-stage.ts';
import type { Job, Project, Quota, System } from '#client/src/index.ts';
import { isPending, useLive } from './use-live.ts';

export interface Catalog {
  readonly systems: readonly System[];
  readonly projects: readonly Project[];
}

/** The systems and projects, undefined until they are loaded. */
export const catalog = signal<Catalog | undefined>(undefined);

/** Whether units and folders may still change, because the catalog has not been answered yet. */
export const isCatalogPending = signal(true);

/** Says what the stages of jobs mean. Until the catalog is loaded, it has the systems' own words. */
export const stageOf = computed(() => describeStages(catalog.value?.systems ?? []));

/** Loads the catalog for all pages, and again on each page: an administrator may have changed it. */
export function useCatalogOn(page: string): void {
  const loaded = useLive(`catalog on ${page}`, async (service, signal) => {
    const [systems, projects] = await Promise.all([
      service.listSystems({}, { signal }),
      service.listProjects({}, { signal }),
    ]);
    return { systems, projects };
  });
  const isKnown = !isPending(loaded);
  useEffect(() => {
    if (loaded.value) catalog.value = loaded.value;
    if (isKnown) isCatalogPending.value = false;
  }, [loaded.value, isKnown]);
}

/** Returns the unit that a system charges in. Without a system, the unit of all systems together. */
export function chargingOf(projectHpc?: string): Charging {
  const systems = (catalog.value?.systems ?? []).filter(
    ({ project_hpc: name }) => projectHpc === undefined || name === projectHpc,
  );
  return joinCharging(systems.map(({ charging }) => charging));
}

/** Tells whether a project has a folder that stays from job to job. */
export function keepsFolder({
  project_hpc,
  project_name: project,
}: Pick<Quota, 'project_hpc' | 'project_name'>): boolean {
  const keep = catalog.value?.systems.find((each) => each.project_hpc === project_hpc)?.keep;
  return keep !== undefined && (keep.projects?.includes(project) ?? true);
}

/** Lists the projects that accept jobs. */
export function openProjects({ projects }: Catalog): readonly Project[] {
  return projects.filter(({ closed }) => closed !== true);
}

/** Lists the open projects as places, and a closed one only if it is chosen already. */
export function listPlaces(chosen: string) {
  return (catalog.value?.projects ?? [])
    .map(({ project_hpc: hpc, project_name: project, closed }) => {
      const system = hpc.toLowerCase();
      return { place: `${system}/${project}`, hpc: system, project, closed };
    })
    .filter(({ place, closed }) => closed !== true || place === chosen);
}

/** Returns true if jobs in the project of a quota are paid from the project's budget. */
export function isShared({ project_hpc: hpc, project_name: name }: Quota): boolean {
  const found = catalog.value?.projects.find(
    (each) => each.project_hpc === hpc && each.project_name === name,
  );
  return found?.shared === true;
}

/** Lists the systems by name. */
export function systemNames(): readonly string[] {
  return catalog.value?.systems.map(({ name }) => name) ?? [];
}

/** Finds the system of a job. */
export function systemFor({ project_hpc: name }: Pick<Job, 'project_hpc'>): System | undefined {
  return catalog.value?.systems.find(({ project_hpc: each }) => each === name);
}
