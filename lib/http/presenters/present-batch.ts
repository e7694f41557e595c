import { type Batch, countEnded, hasEnded } from '#lib/batches/batch.ts';
import type { BatchEstimate } from '#lib/batches/estimate-batch.ts';
import { presentObstacle } from './present-maintenance.ts';
import { presentAmount } from './present-quota.ts';
import { presentResources } from './present-resources.ts';
import { float, timestamp } from './values.ts';

export function presentBatch(batch: Batch) {
  const { project, counts, held, usedSeconds, lastEnd, maxRunning } = batch;
  return {
    batch_id: batch.id,
    count: batch.count,
    counts: {
      waiting: batch.count - counts.running - countEnded(batch),
      running: counts.running,
      done: counts.done,
      failed: counts.failed,
      cancelled: counts.cancelled,
    },
    end_date: hasEnded(batch) && lastEnd ? timestamp(lastEnd) : null,
    held: presentAmount(held),
    init_date: timestamp(batch.submittedAt),
    max_running: maxRunning ?? null,
    owner: batch.owner,
    project: project.number,
    project_hpc: project.hpc.toUpperCase(),
    project_name: project.name,
    runtime: float(batch.runtime),
    title: batch.title,
    used: presentAmount({ seconds: usedSeconds, kilobytes: 0 }),
  };
}

export function batchLocation({ project, id }: Batch): string {
  return `/batches/${project.hpc}/${project.name}/${id}/`;
}

export function presentBatchEstimate(estimate: BatchEstimate) {
  const { login, count, runtime, hold, left, activeJobs, maxLivingJobs, preview } = estimate;
  const resources = presentResources(estimate.resources);
  return {
    accepted: true,
    count,
    runtime: float(runtime),
    held: presentAmount(hold),
    left: presentAmount(left),
    living_jobs: activeJobs,
    max_living_jobs: maxLivingJobs,
    ...(login !== undefined && { account: login }),
    ...(resources && { resources }),
    ...presentObstacle(estimate.obstacle),
    preview: preview.map(({ index, program, title }) => ({ index, program, title })),
  };
}
