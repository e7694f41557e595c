import type { Estimate } from '../../generated/operations.ts';
import { phrase } from '../../words/formats.ts';
import { writeMemory } from '../amounts/memory.ts';

/**
 * Describes what a job gets on each node, and its class: `4 tasks, 64 GB of memory, 2 GPUs
 * (a100), class gpu`.
 */
export function describeResources(resources: NonNullable<Estimate['resources']>): string {
  const { task_number: tasks, memory, gpu_number: gpus, gpu_kind: kind, class: name } = resources;
  const parts = [
    ...(tasks === undefined ? [] : [phrase('resources.tasks', { count: tasks })]),
    ...(memory === undefined ? [] : [phrase('resources.memory', { memory: writeMemory(memory) })]),
    ...(gpus === undefined ? [] : [writeGpus(gpus, kind)]),
    ...(name === undefined ? [] : [phrase('resources.class', { name })]),
  ];
  return parts.join(', ');
}

function writeGpus(count: number, kind: string | undefined): string {
  return kind === undefined
    ? phrase('resources.gpus', { count })
    : phrase('resources.gpusOfKind', { count, kind });
}
