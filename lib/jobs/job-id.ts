import { randomBytes, randomUUID } from 'node:crypto';
import type { HpcSystem } from '../catalog/hpc-system.ts';

/** In force from the first millisecond: the HPC system is told it, never asked for it. */
export function makeJobId(system: HpcSystem, program: string): string {
  switch (system.jobId.form) {
    case 'uuid':
      return randomUUID().toUpperCase();
    case 'tool-token':
      return `${system.jobId.prefix}-${program}-${randomBytes(16).toString('hex').toUpperCase()}`;
  }
}
