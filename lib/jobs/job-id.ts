import { randomBytes, randomUUID } from 'node:crypto';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';

/** In force from the first millisecond: the HPC system is told it, never asked for it. */
export function makeJobId(system: HpcSystem, program: string): string {
  switch (system.jobId.form) {
    case 'uuid':
      return randomUUID().toUpperCase();
    case 'tool-token':
      return `${system.jobId.prefix}-${program}-${randomBytes(16).toString('hex').toUpperCase()}`;
  }
}

/** The characters and lengths that any system's identifiers have: others need no look. */
export function isJobId(text: string): boolean {
  return /^[A-Z0-9_-]{1,128}$/.test(text);
}
