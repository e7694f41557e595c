import type { Act } from '#lib/audit/act.ts';
import type { UserActivity } from '#lib/reports/user-activity.ts';
import type { Login } from '#lib/users/logins/login.ts';
import type { Mapped } from '#lib/users/logins/map-login.ts';
import type { KnownUser } from '#lib/users/user-directory.ts';
import { timestamp } from './values.ts';

export function presentAct(
  { id, kind, at, by, reason, subject, details }: Act,
  names?: ReadonlyMap<string, string>,
) {
  const { user, hpc, project, jobId } = subject;
  const [name, byName] = [user && names?.get(user), names?.get(by)];
  return {
    act_id: id,
    kind,
    at: timestamp(at),
    by,
    ...(byName !== undefined && { by_name: byName }),
    reason,
    user: user ?? null,
    ...(name !== undefined && { name }),
    project_hpc: hpc?.toUpperCase() ?? null,
    project_name: project ?? null,
    job_id: jobId ?? null,
    details,
  };
}

export function presentUser({ user, name, email, erasedAt, subject, firstSeen, bans }: KnownUser) {
  return {
    user,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(erasedAt && { erased: timestamp(erasedAt) }),
    ...(subject !== undefined && { subject }),
    first_seen: timestamp(firstSeen),
    banned: bans.everywhere ?? null,
    bans: bans.projects.map(({ hpc, project, reason }) => ({
      project_hpc: hpc.toUpperCase(),
      project_name: project,
      reason,
    })),
  };
}

export function presentActivity({ lastSubmission, used, jobs }: UserActivity) {
  return {
    last_submission: lastSubmission ? timestamp(lastSubmission) : null,
    time_used: used,
    jobs_ended: jobs,
  };
}

export function presentAccount({ user, hpc, name }: Login) {
  return { user, hpc, account: name };
}

export function presentMapped({ login, outcome }: Mapped) {
  return { outcome, ...presentAccount(login) };
}

export function accountLocation({ user, hpc }: Login): string {
  return `/admin/users/${user}/accounts/${hpc}/`;
}
