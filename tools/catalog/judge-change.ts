import type { Catalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { firstOpenedNumber } from '#lib/catalog/identifiers.ts';
import type { CatalogUse, LivingUse, ProjectUse } from './catalog-use.ts';

/** Lists the stored jobs and quotas that a new catalog would break, one line per problem. */
export function judgeChange({ systems }: Catalog, { projects, living }: CatalogUse): string[] {
  const systemOf = (hpc: string) => systems.find(({ name }) => name === hpc);
  return [
    ...projects.flatMap((use) => judgeProject(systems, systemOf(use.hpc), use)),
    ...living.flatMap((use) => {
      const system = systemOf(use.hpc);
      return system ? [...judgeStage(system, use), ...judgeJobId(system, use)] : [];
    }),
  ];
}

function judgeProject(
  systems: readonly HpcSystem[],
  system: HpcSystem | undefined,
  use: ProjectUse,
): string[] {
  const { hpc, name, number } = use;
  const project = `project ${name} (${number}) of ${hpc}`;
  const isEmpty = use.quotas + use.jobs === 0;
  const because = isEmpty ? 'it was opened at run time' : `${countUses(use)} in it`;
  if (!system) {
    return isEmpty ? [] : [`${project}: there is no system ${hpc} any more, and ${because}`];
  }
  const same = system.projects.find((each) => each.name === name);
  const numbered = systems
    .flatMap((each) => each.projects)
    .find((each) => each.number === number && each !== same);
  const taken = numbered ? `; its number is that of ${numbered.hpc}/${numbered.name} now` : '';
  if (same) {
    if (same.number === number) return [];
    return [`${project}: its number is ${same.number} now, and ${because}${taken}`];
  }
  // Projects that were opened at run time are in the table and must not be in the catalog.
  if (number >= firstOpenedNumber) return [];
  if (numbered?.hpc === hpc) {
    return [`${project}: it is called ${numbered.name} now, and ${because}`];
  }
  return [`${project}: it is not there any more, and ${because}${taken}`];
}

function judgeStage({ name, stages }: HpcSystem, { stage, jobs, example }: LivingUse): string[] {
  if (stages.living.includes(stage)) return [];
  return [
    `${name}: stages.living does not have ${stage} any more, and ${count(jobs, 'active job')} in that stage, for example ${example}`,
  ];
}

/** Refuses a new form of ids while jobs are active, because their ids keep the old form. */
function judgeJobId({ name, jobId }: HpcSystem, { jobs, idForm, example }: LivingUse): string[] {
  const form = jobId.form === 'uuid' ? jobId.form : jobId.prefix;
  if (idForm === form) return [];
  return [
    `${name}: job ids are made by ${form} now, and ${count(jobs, 'active job')} with an id of another form, for example ${example}`,
  ];
}

function countUses({ quotas, jobs }: ProjectUse): string {
  const both = [jobs > 0 && noun(jobs, 'job'), quotas > 0 && noun(quotas, 'quota')];
  return `there ${jobs + quotas === 1 ? 'is' : 'are'} ${both.filter(Boolean).join(' and ')}`;
}

function count(number: number, thing: string): string {
  return `there ${number === 1 ? 'is' : 'are'} ${noun(number, thing)}`;
}

function noun(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
