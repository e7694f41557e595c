import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import type { Table } from '#lib/table/table.ts';

/** One round of looking after the jobs of one system. */
export interface Sweep {
  readonly table: Table;
  readonly files: JobFiles;
  readonly system: HpcSystem;
  readonly connector: Connector;
  readonly now: Date;
}

/** For this long nobody else takes up what a sweep has taken up. */
export const leaseSeconds = 60;

export function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
