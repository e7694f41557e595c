import type { Project } from '#lib/catalog/hpc-system.ts';
import type { ProjectKey } from '#lib/table/keys.ts';

/** A project that an administrator opened at run time, besides those of the catalog. */
export interface OpenedProject extends Project {
  readonly description: string;
  readonly closed: boolean;
  /** Increases with every change. A write names the revision that it read. */
  readonly revision: number;
}

export function projectKeyOf({ hpc, name }: Project): ProjectKey {
  return { hpc, project: name };
}
