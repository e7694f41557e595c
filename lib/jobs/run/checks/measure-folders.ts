import { keptFolderOf } from '#lib/catalog/project-folders.ts';
import { noteFolderSize } from '#lib/files/folders/folder-size.ts';
import { isSystemFault } from '#lib/hpc/connector.ts';
import { tagJob } from '../../life/job-life.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';

/**
 * Looks once at the folder of each project of which jobs have just ended. A system that does not
 * answer now is asked after the next end, or by the next member who looks.
 */
export async function measureFolders(
  { table, system, connector, now }: Sweep,
  ended: readonly ActiveJob[],
): Promise<void> {
  const { folders } = connector;
  if (!folders) return;
  const jobs = new Map(ended.map((each) => [each.job.project.name, each]));
  for (const [project, { job, life }] of jobs) {
    if (!keptFolderOf(system, project)) continue;
    const { owner, login } = tagJob(job, life);
    try {
      const size = await folders.measure({ project, owner, login });
      await noteFolderSize(table, { hpc: system.name, project }, size, now());
    } catch (error) {
      if (!isSystemFault(error)) throw error;
    }
  }
}
