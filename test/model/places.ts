import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import { projectName } from '#test/fixtures/names.ts';
import { withPrice } from '#test/fixtures/priced-systems.ts';
import { threeSystems } from '#test/fixtures/third-system.ts';
import { type Amount, maxLivingJobs } from './accounts.ts';

export interface Place {
  readonly system: HpcSystem;
  readonly project: Project;
}

const [one, two, three] = threeSystems.systems;
if (!one || !two || !three) throw new Error('The model has three systems.');

/** AWS Batch runs the jobs of the first and the last one, which share the budget. */
const weighted = withWeights(two);

export const catalogBefore: Catalog = { systems: [withPrice(one), weighted] };
export const catalogAfter: Catalog = { systems: [...catalogBefore.systems, withPrice(three)] };

/** Charges for memory and GPUs, in one class twice. */
function withWeights(system: HpcSystem): HpcSystem {
  return {
    ...system,
    memoryPerNode: 64,
    gpusPerNode: 4,
    charging: { per: { core: 1, gpu: 0.5, memoryGb: 0.03 }, rule: 'sum' },
    classes: [
      { name: 'normal' },
      { name: 'dear', chargingFactor: 2, limits: { runtime: 0.25 } },
      { name: 'gpu', charging: { per: { core: 1, gpu: 3 }, rule: 'max' } },
    ],
  };
}

export const places: Place[] = catalogAfter.systems.flatMap((system) =>
  system.projects.map(
    (project): Place => ({
      system,
      project: { ...project, maxLivingJobs },
    }),
  ),
);

const fixedPlaces = places.length;
const [first] = weighted.projects;

/**
 * Two projects with a budget, new in each history: members draw from that of the first, and leaders
 * share out both.
 */
export function openLedProjects(history: number): void {
  const led = [
    { number: 90, name: `lab_${history}`, shared: true, members: { group: 'lab' } },
    { number: 91, name: `led_${history}` },
  ].map((each) => ({ ...first, ...each, name: projectName(each.name), maxLivingJobs }));
  const added = led.map((project): Place => ({ system: weighted, project }));
  places.splice(fixedPlaces, places.length, ...added);
  Object.assign(weighted, { projects: [first, ...led] });
}

/** Returns the projects that have a budget, or may get one. */
export function ledPlaces(): readonly Place[] {
  return places.slice(fixedPlaces);
}

/** What a first contact opens, by project. */
export function welcomeOf({ systems }: Catalog): ReadonlyMap<string, Amount> {
  return new Map(
    systems.map((system): [string, Amount] => {
      const { seconds, kilobytes } = system.welcomeQuota;
      return [defaultProject(system).name, { time: seconds, space: kilobytes }];
    }),
  );
}

export function projectAt(index: number): Place {
  const place = places[index];
  if (!place) throw new Error(`There is no project ${index}.`);
  return place;
}

export function placeOfProject(name: string): Place {
  return projectAt(places.findIndex(({ project }) => project.name === name));
}
