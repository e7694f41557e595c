import type { Estimate } from '../generated/operations.ts';

/**
 * Describes what a job gets on each node, and its class: `64 GB of memory, 2 GPUs
 * (a100), class gpu`.
 */
export function describeResources(resources: NonNullable<Estimate['resources']>): string {
  const { memory, gpu_number: gpus, gpu_kind: kind, class: name } = resources;
  const parts = [
    ...(memory === undefined ? [] : [`${memory} of memory`]),
    ...(gpus === undefined
      ? []
      : [`${gpus} ${gpus === 1 ? 'GPU' : 'GPUs'}${kind === undefined ? '' : ` (${kind})`}`]),
    ...(name === undefined ? [] : [`class ${name}`]),
  ];
  return parts.join(', ');
}
