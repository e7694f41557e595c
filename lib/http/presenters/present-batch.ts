import { type Batch, countEnded, hasEnded } from '#lib/batches/batch.ts';
import type { BatchEstimate } from '#lib/batches/estimate-batch.ts';
import { presentEstimate } from './present-estimate.ts';
import { presentAmount } from './present-quota.ts';
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

export function presentBatchEstimate({ count, preview, ...estimate }: BatchEstimate) {
  const { accepted, ...terms } = presentEstimate(estimate);
  return {
    accepted,
    count,
    ...terms,
    preview: preview.map(({ index, program, title }) => ({ index, program, title })),
  };
}
