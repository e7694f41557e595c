import * as v from 'valibot';
import { number, optional, text } from '#lib/table/define-item.ts';

/** The attributes of a job's resources, which requests and batches have in common. */
export const storedResources = {
  nodes: number('nodes'),
  coresPerNode: number('cores_per_node'),
  tasksPerNode: optional(number('tasks_per_node')),
  memoryMegabytes: optional(number('memory_megabytes')),
  gpusPerNode: optional(number('gpus_per_node')),
  gpuKind: optional(text('gpu_kind')),
  className: optional(text('class')),
  image: optional(text('image')),
};

/** What a job sends by itself. */
export const sentFiles = v.pipe(
  v.array(v.object({ files: v.string(), to: v.string() })),
  v.readonly(),
);

/** The files that a job fetches by itself. */
export const fetchedFiles = v.pipe(
  v.array(v.object({ from: v.string(), to: v.string(), sha256: v.exactOptional(v.string()) })),
  v.readonly(),
);
