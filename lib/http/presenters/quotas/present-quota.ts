import type { Quota } from '#lib/quotas/quota.ts';
import { float } from '../values/float.ts';

/** Interface 2.3, field for field. */
export function presentQuota({ id, user, project, time, space }: Quota) {
  return {
    id,
    project: project.number,
    project_hpc: project.hpc.toUpperCase(),
    project_name: project.name,
    space_left: float(space.left),
    time_left: time.left,
    user,
  };
}

/** Where administrators find it. */
export function quotaLocation({ user, project }: Quota): string {
  return `/admin/quotas/${user}/${project.hpc}/${project.name}/`;
}
