import { randomBytes, randomUUID } from 'node:crypto';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { isJobId, type JobId } from '#lib/catalog/identifiers.ts';

/** Makes an id that is valid at once. The HPC system is told the id and never asked for one. */
export function makeJobId(system: HpcSystem, program: string): JobId {
  const text = writeJobId(system, program);
  if (!isJobId(text)) throw new Error(`'${text}' is not a valid job id for ${system.name}.`);
  return text;
}

function writeJobId({ jobId }: HpcSystem, program: string): string {
  switch (jobId.form) {
    case 'uuid':
      return randomUUID().toUpperCase();
    case 'tool-token':
      return `${jobId.prefix}-${program}-${randomBytes(16).toString('hex').toUpperCase()}`;
  }
}
