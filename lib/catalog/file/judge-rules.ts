import { ownStages } from '../hpc-system.ts';
import type { CatalogDraft, SystemDraft } from './draft.ts';
import { judgeConnector } from './judge-connector.ts';
import { judgeContainers } from './judge-containers.ts';
import { judgeKeep } from './judge-keep.ts';
import { judgeResources } from './judge-resources.ts';
import type { Path, Problem } from './parse-json.ts';

/** Finds what a schema cannot express: parts of a catalog that do not fit each other. */
export function judgeRules({ systems }: CatalogDraft): Problem[] {
  return [
    ...findRepeated(
      systems.map(({ name }, at) => ({ value: name, path: ['systems', at, 'name'] })),
      'each system has a name of its own',
    ),
    ...findRepeated(
      systems.flatMap(({ projects }, system) =>
        projects.map(({ number }, at) => ({
          value: number,
          path: ['systems', system, 'projects', at, 'number'],
        })),
      ),
      'each project of the catalog has a number of its own',
    ),
    ...systems.flatMap((system, at) =>
      judgeSystem(system).map(({ path, text }) => ({ path: ['systems', at, ...path], text })),
    ),
  ];
}

function judgeSystem(system: SystemDraft): Problem[] {
  return [
    ...findRepeated(
      system.projects.map(({ name }, at) => ({ value: name, path: ['projects', at, 'name'] })),
      'each project of a system has a name of its own',
    ),
    ...judgeMaintenance(system),
    ...judgeExtraFields(system),
    ...judgeJobId(system),
    ...judgeStages(system),
    ...judgeConnector(system),
    ...judgeRenewal(system),
    ...findRepeated(
      system.classes.map(({ name }, at) => ({ value: name, path: ['classes', at, 'name'] })),
      'each class of a system has a name of its own',
    ),
    ...findRepeated(
      system.datasets.map(({ name }, at) => ({ value: name, path: ['datasets', at, 'name'] })),
      'each data set of a system has a name of its own',
    ),
    ...judgeResources(system),
    ...judgeContainers(system),
    ...judgeKeep(system),
  ];
}

/** Windows of the catalog are told apart by their beginning. */
function judgeMaintenance({ maintenance }: SystemDraft): Problem[] {
  return [
    ...findRepeated(
      maintenance.map(({ from = '' }, at) => ({
        value: Date.parse(from) ? new Date(from).toISOString() : undefined,
        path: ['maintenance', at, 'from'],
      })),
      'each maintenance of a system begins at another time',
    ),
    ...maintenance.flatMap(({ from = '', until = '' }, at) =>
      Date.parse(until) <= Date.parse(from)
        ? [{ path: ['maintenance', at, 'until'], text: `is "${until}"; it must be after from` }]
        : [],
    ),
  ];
}

/** The fields that a submission to any system can have (interface 4.2). */
const standardFields = [
  'command',
  'tool',
  'node_number',
  'core_number',
  'task_number',
  'runtime',
  'memory',
  'gpu_number',
  'gpu_kind',
  'class',
  'image',
  'title',
  'after',
  'after_any',
  'input_from',
  'input_folder',
  'input_failed',
];

function judgeExtraFields({ extraFields }: SystemDraft): Problem[] {
  const names = extraFields.map(({ name }, at) => ({
    value: name,
    path: ['extraFields', at, 'name'] as const,
  }));
  return [
    ...findRepeated(names, 'each extra field has a name of its own'),
    ...names
      .filter(({ value }) => value !== undefined && standardFields.includes(value))
      .map(({ value, path }) => ({
        path,
        text: `is "${value}", which every submission knows already; choose another name`,
      })),
  ];
}

/** The longest job id, and the length of what surrounds the name of the tool in it. */
const maxJobIdLength = 128;
const tokenLength = '--'.length + 32;

function judgeJobId({ jobId, program }: SystemDraft): Problem[] {
  if (jobId.form !== 'tool-token') return [];
  if (program.field === 'command') {
    const text = 'is "tool-token", which needs a tool; for a command it must be "uuid"';
    return [{ path: ['jobId', 'form'], text }];
  }
  const room = maxJobIdLength - tokenLength - (jobId.prefix?.length ?? 0);
  if (program.maxLength === undefined || program.maxLength <= room) return [];
  const text = `is ${program.maxLength}; beside this jobId.prefix it must be at most ${room}, because a job id has at most ${maxJobIdLength} characters`;
  return [{ path: ['program', 'maxLength'], text }];
}

function judgeStages({ stages }: SystemDraft): Problem[] {
  const words = (['living', 'succeeded', 'failed'] as const).flatMap((list) =>
    stages[list].map((value, at) => ({ value, path: ['stages', list, at] })),
  );
  const own: readonly (string | undefined)[] = Object.values(ownStages);
  return [
    ...(['first', 'running'] as const)
      .filter((name) => stages[name] !== undefined && !stages.living.includes(stages[name]))
      .map((name) => ({
        path: ['stages', name],
        text: `is "${stages[name]}"; it must be one of stages.living (${stages.living.join(', ')})`,
      })),
    ...findRepeated(words, 'each stage has a word of its own'),
    ...words
      .filter(({ value }) => own.includes(value))
      .map(({ value, path }) => ({
        path,
        text: `is "${value}", which Slipway sets itself; leave it out`,
      })),
  ];
}

function judgeRenewal({ welcomeQuota: { renews } }: SystemDraft): Problem[] {
  if (renews.every !== 'monthly' || renews.month === undefined) return [];
  const text = `is ${renews.month}, but it renews in every month; leave it out`;
  return [{ path: ['welcomeQuota', 'renews', 'month'], text }];
}

interface Placed {
  readonly value: string | number | undefined;
  readonly path: Path;
}

function findRepeated(places: readonly Placed[], rule: string): Problem[] {
  return places.flatMap(({ value, path }, at) => {
    const first = places.findIndex((other) => other.value === value);
    if (value === undefined || first === at) return [];
    return [{ path, text: `is ${JSON.stringify(value)} a second time; ${rule}` }];
  });
}
