import type { MeasuredFolder } from '#lib/files/folders/folder-size.ts';
import type { ProjectFolder } from '#lib/files/folders/open-folder.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import { timestamp } from './values.ts';

export function presentFolder(
  { hpc, project }: ProjectKey,
  { maxBytes, isInReach }: Pick<ProjectFolder, 'maxBytes' | 'isInReach'>,
  measured: MeasuredFolder | undefined,
) {
  return {
    project_hpc: hpc.toUpperCase(),
    project_name: project,
    length: measured?.bytes ?? null,
    files: measured?.files ?? null,
    measured: measured ? timestamp(measured.measuredAt) : null,
    limit: maxBytes,
    full: measured !== undefined && measured.bytes > maxBytes,
    in_reach: isInReach,
  };
}
