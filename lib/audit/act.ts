import type { JobId, ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';

/** Something that an administrator did, or a tool on their behalf. */
export interface Act {
  readonly id: string;
  readonly kind: ActKind;
  readonly at: Date;
  /** The administrator's user id. */
  readonly by: string;
  readonly reason: string;
  /** The user, job, project or system that it was done to. */
  readonly subject: {
    readonly user?: UserId | undefined;
    readonly hpc?: SystemName | undefined;
    readonly project?: ProjectName | undefined;
    readonly jobId?: JobId | undefined;
  };
  /** What changed, for administrators to read: values before and after. */
  readonly details: Readonly<Record<string, Detail>>;
}

export type Fact = string | number | null;

export type Detail = Fact | { readonly before: Fact; readonly after: Fact };

type Facts = Readonly<Record<string, Fact | undefined>>;

/** Lists the facts that changed. */
export function listChanges(before: Facts, after: Facts): Record<string, Detail> {
  const names = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  return Object.fromEntries(
    names.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );
}

export const actKinds = [
  'quota-granted',
  'quota-removed',
  'quota-corrected',
  'user-banned',
  'user-unbanned',
  'user-erased',
  'job-cancelled',
  'job-deleted',
  'account-mapped',
  'account-unmapped',
  'request-declined',
  'project-opened',
  'project-changed',
  'project-closed',
  'budget-changed',
  'leaders-changed',
  'folder-emptied',
  'maintenance-announced',
  'maintenance-changed',
  'maintenance-withdrawn',
] as const;

export type ActKind = (typeof actKinds)[number];
