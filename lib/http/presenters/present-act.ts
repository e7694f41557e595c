import type { Act } from '#lib/audit/act.ts';
import { timestamp } from './values/timestamp.ts';

export function presentAct({ id, kind, at, by, reason, subject, details }: Act) {
  const { user, hpc, project, jobId } = subject;
  return {
    act_id: id,
    kind,
    at: timestamp(at),
    by,
    reason,
    user: user ?? null,
    project_hpc: hpc?.toUpperCase() ?? null,
    project_name: project ?? null,
    job_id: jobId ?? null,
    details,
  };
}
