import { type Resources, writeMemory } from '#lib/catalog/resources.ts';
import type { Estimate } from '#lib/jobs/submit/estimate-job.ts';
import { presentObstacle } from './present-maintenance.ts';
import { presentAmount } from './present-quota.ts';
import { float } from './values.ts';

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

export function presentEstimate(estimate: Estimate) {
  const { login, runtime, hold, left, activeJobs, maxLivingJobs, similar } = estimate;
  const resources = presentResources(estimate.resources);
  return {
    accepted: true,
    runtime: float(runtime),
    held: presentAmount(hold),
    left: presentAmount(left),
    living_jobs: activeJobs,
    max_living_jobs: maxLivingJobs,
    ...(similar && { similar }),
    ...(login !== undefined && { account: login }),
    ...(resources && { resources }),
    ...presentObstacle(estimate.obstacle),
  };
}
