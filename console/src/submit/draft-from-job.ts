import { readDuration } from '#client/src/format/read-duration.ts';
import { writeDuration } from '#client/src/format/write-duration.ts';
import type { Job, System } from '#client/src/index.ts';
import { systemOf } from '../address/system-of.ts';
import type { Beginning } from './begin-draft.ts';
import { emptyDraft, programFieldOf } from './draft.ts';

/**
 * As much of a job as the service tells: where it ran, its time and title, and its nodes where they
 * follow from what it reserved. The rest is named, to be filled in again.
 */
export function draftFromJob(job: Job, held: number, system: System): Beginning {
  const nodes = countNodes(job, held, system);
  const missing = [
    `its ${programFieldOf(system)}`,
    ...(nodes === undefined ? ['its nodes'] : []),
    'its cores',
    'its input',
  ];
  return {
    draft: {
      ...emptyDraft,
      hpc: systemOf(job),
      project: job.project_name,
      time: writeTime(job.runtime * 3600),
      title: job.title,
      ...(nodes !== undefined && { nodes: String(nodes) }),
    },
    input: undefined,
    missing: `It was not submitted from this browser, and the service does not tell ${missing.slice(0, -1).join(', ')} and ${missing.at(-1)}: fill them in.`,
  };
}

function countNodes({ runtime }: Job, held: number, { charging }: System): number | undefined {
  const nodes = held / (runtime * 3600);
  return charging === 'node' && Number.isInteger(nodes) && nodes > 0 ? nodes : undefined;
}

/** As people write it, unless that would make it another time. */
function writeTime(seconds: number): string {
  const written = writeDuration(seconds);
  return readDuration(written) === seconds ? written : `${seconds / 3600} h`;
}
