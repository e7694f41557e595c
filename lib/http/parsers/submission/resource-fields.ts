import * as v from 'valibot';
import type { HpcSystem, JobClass, Project } from '#lib/catalog/hpc-system.ts';
import { judgeImage } from '#lib/catalog/images.ts';
import {
  classesFor,
  coresAsIn,
  grantMemory,
  offerIn,
  offersTasks,
  type Resources,
  resourcesOf,
  writeMemory,
} from '#lib/catalog/resources.ts';
import { firstProblem, wholeNumber } from './numbers.ts';

/** The fields of a payload for tasks, memory, GPUs, class and image, as far as the system offers them. */
export function resourceFields(system: HpcSystem, project: Project): v.ObjectEntries {
  const { memoryPerNode, gpusPerNode, gpuKinds, classes, containers } = system;
  return {
    ...(offersTasks(system) && {
      task_number: v.optional(wholeNumber(system.limits.coresPerNode)),
    }),
    ...(memoryPerNode !== undefined && { memory: v.optional(memoryUpTo(memoryPerNode * 1000)) }),
    ...(gpusPerNode !== undefined && { gpu_number: v.optional(wholeNumber(gpusPerNode)) }),
    ...(gpuKinds && { gpu_kind: v.optional(oneOf(gpuKinds)) }),
    ...(classes && { class: v.optional(oneOf(classesFor(system, project.name).map(nameOf))) }),
    ...(containers && { image: v.optional(allowedImage(system)) }),
  };
}

const units: Readonly<Record<string, number>> = { mb: 1, gb: 1000, tb: 1_000_000 };

/** Reads `16 GB` or `500 MB` as megabytes of 1,000,000 bytes. Begun megabytes count. */
function memoryUpTo(most: number) {
  const message = `It must be an amount of memory on each node, up to ${writeMemory(most)}, for example "500 MB" or "16 GB".`;
  return v.config(
    v.pipe(
      v.string(message),
      v.transform((text) => {
        const [, number = '', unit = ''] =
          /^\s*([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([MGT]B)\s*$/i.exec(text) ?? [];
        return Math.ceil(
          Number((Number(number) * (units[unit.toLowerCase()] ?? Number.NaN)).toFixed(6)),
        );
      }),
      v.number(message),
      v.minValue(1, message),
      v.maxValue(most, message),
    ),
    firstProblem,
  );
}

function oneOf(names: readonly string[]) {
  const message =
    names.length === 0
      ? 'No class of this system is open to your project.'
      : `It must be one of: ${names.join(', ')}.`;
  return v.pipe(
    v.string(message),
    v.trim(),
    v.check((name) => names.includes(name), message),
  );
}

function allowedImage(system: HpcSystem) {
  return v.pipe(
    v.string('It must be text.'),
    v.trim(),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? judgeImage(system, dataset.value) : undefined;
      if (message !== undefined) addIssue({ message });
    }),
  );
}

function nameOf({ name }: JobClass): string {
  return name;
}

const ReadResources = v.object({
  node_number: v.number(),
  core_number: v.number(),
  task_number: v.optional(v.number()),
  memory: v.optional(v.number()),
  gpu_number: v.optional(v.number()),
  gpu_kind: v.optional(v.string()),
  class: v.optional(v.string()),
  image: v.optional(v.string()),
});

/** Returns what a job is granted: the default class of its project, and memory for its cores. */
export function nameResources(
  system: HpcSystem,
  project: Project,
  fields: Readonly<Record<string, unknown>>,
): ReturnType<typeof resourcesOf> {
  const read = v.parse(ReadResources, fields);
  const asked: Resources = {
    nodes: read.node_number,
    coresPerNode: read.core_number,
    tasksPerNode: read.task_number,
    memoryMegabytes: read.memory,
    gpusPerNode: read.gpu_number,
    gpuKind: read.gpu_kind,
    className: read.class ?? classesFor(system, project.name).map(nameOf).at(0),
    image: read.image,
  };
  return resourcesOf({ ...asked, memoryMegabytes: grantMemory(system, asked) });
}

/** Finds what is wrong with fields that are right on their own. */
export function judgeResources(
  system: HpcSystem,
  project: Project,
  fields: Readonly<Record<string, unknown>>,
): { readonly field: string; readonly message: string }[] {
  const open = classesFor(system, project.name).map(nameOf);
  if (system.classes && open.length === 0) {
    return [{ field: 'class', message: `No class of this system is open to ${project.name}.` }];
  }
  const resources = nameResources(system, project, fields);
  const { className, memoryMegabytes = 0, gpusPerNode = 0, gpuKind } = resources;
  const offer = offerIn(system, className);
  const others = open.filter((name) => name !== className);
  const advice =
    others.length === 0 ? '' : ` Ask for less, or choose another class: ${others.join(', ')}.`;
  const limits = [
    { field: 'node_number', asked: resources.nodes, most: offer.nodes },
    { field: 'core_number', asked: resources.coresPerNode, most: offer.coresPerNode },
    { field: 'gpu_number', asked: gpusPerNode, most: offer.gpusPerNode },
    {
      field: 'memory',
      asked: memoryMegabytes,
      most: (offer.memoryPerNode ?? 0) * 1000,
      write: writeMemory,
    },
  ];
  return [
    ...limits
      .filter(({ asked, most }) => asked > most)
      .map(({ field, most, write = String }) => ({
        field,
        message: `The class ${className} offers at most ${write(most)}.${advice}`,
      })),
    ...judgeTasks(system, resources, open),
    ...(gpuKind !== undefined && gpusPerNode === 0
      ? [{ field: 'gpu_kind', message: 'It needs gpu_number, which says how many.' }]
      : []),
  ];
}

/** Tasks have the same number of cores each. */
function judgeTasks(
  system: HpcSystem,
  { tasksPerNode, coresPerNode, className }: Resources,
  open: readonly string[],
) {
  if (tasksPerNode === undefined) return [];
  if (coresAsIn(system, className) !== 'choice') {
    const able = open.filter((name) => coresAsIn(system, name) === 'choice');
    const other = able.length === 0 ? '' : `, or choose another class: ${able.join(', ')}`;
    const message = `The class ${className} does not let jobs choose their tasks. Leave it out${other}.`;
    return [{ field: 'task_number', message }];
  }
  if (coresPerNode % tasksPerNode === 0) return [];
  const message = `It must divide core_number, so that each task has the same number of cores. ${coresPerNode} cores cannot be divided among ${tasksPerNode} tasks.`;
  return [{ field: 'task_number', message }];
}
