import { type Resources, writeMemory } from '#lib/catalog/resources.ts';

/** Presents tasks, memory, GPUs, class and image. Returns undefined for a job that has none of them. */
export function presentResources(resources: Resources | undefined) {
  const { tasksPerNode, memoryMegabytes, gpusPerNode, gpuKind, className, image } = resources ?? {};
  const named = {
    ...(tasksPerNode !== undefined && { task_number: tasksPerNode }),
    ...(memoryMegabytes !== undefined && { memory: writeMemory(memoryMegabytes) }),
    ...(gpusPerNode !== undefined && { gpu_number: gpusPerNode }),
    ...(gpuKind !== undefined && { gpu_kind: gpuKind }),
    ...(className !== undefined && { class: className }),
    ...(image !== undefined && { image }),
  };
  return Object.keys(named).length === 0 ? undefined : named;
}
