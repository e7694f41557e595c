import { randomBytes } from 'node:crypto';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { isJobId, type JobId } from '#lib/catalog/identifiers.ts';

/**
 * Makes an id that is valid at once. The HPC system is told the id and never asked for one. The same
 * 16 bytes make the same id.
 */
export function makeJobId(
  system: HpcSystem,
  program: string,
  bytes: Buffer = randomBytes(16),
): JobId {
  const text = writeJobId(system, program, bytes);
  if (!isJobId(text)) throw new Error(`'${text}' is not a valid job id for ${system.name}.`);
  return text;
}

function writeJobId({ jobId }: HpcSystem, program: string, bytes: Buffer): string {
  switch (jobId.form) {
    case 'uuid':
      return writeUuid(bytes);
    case 'tool-token':
      return `${jobId.prefix}-${program}-${bytes.toString('hex').toUpperCase()}`;
  }
}

/** Writes a UUID of version 4. */
function writeUuid(bytes: Buffer): string {
  const marked = Buffer.from(bytes);
  marked[6] = ((marked[6] ?? 0) & 0x0f) | 0x40;
  marked[8] = ((marked[8] ?? 0) & 0x3f) | 0x80;
  const hex = marked.toString('hex').toUpperCase();
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
