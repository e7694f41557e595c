import type { HpcSystem } from './hpc-system.ts';
import type { ProjectName } from './identifiers.ts';

/** The folder of a project, which stays from job to job. */
export interface KeptFolder {
  readonly maxBytes: number;
  /** Missing if it is below the system's own folder of jobs. */
  readonly path?: string | undefined;
}

/** Finds what the catalog says of the folder of a project, or undefined if it has none there. */
export function keptFolderOf(
  { keep }: { readonly keep?: HpcSystem['keep'] | undefined },
  project: ProjectName | undefined,
): KeptFolder | undefined {
  if (!keep || project === undefined || !(keep.projects?.includes(project) ?? true)) {
    return undefined;
  }
  return { maxBytes: keep.maxKilobytes * 1000, path: keep.path?.replaceAll('{project}', project) };
}

/** The variable in which a job finds the path. */
export const folderVariable = 'SLIPWAY_PROJECT_DIR';
