import type { JobId, ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';

/** Something that an administrator did, or a tool in an administrator's hands. */
export interface Act {
  readonly id: string;
  readonly kind: ActKind;
  readonly at: Date;
  /** The administrator's own user identifier. */
  readonly by: string;
  readonly reason: string;
  /** Whom or what it was done to. */
  readonly subject: {
    readonly user?: UserId;
    readonly hpc?: SystemName;
    readonly project?: ProjectName;
    readonly jobId?: JobId;
  };
  /** What changed, as an administrator reads it: numbers before and after, dates. */
  readonly details: Readonly<Record<string, Detail>>;
}

export type Fact = string | number | null;

export type Detail = Fact | { readonly before: Fact; readonly after: Fact };

export const actKinds = [
  'quota-granted',
  'quota-removed',
  'quota-corrected',
  'user-banned',
  'user-unbanned',
  'job-cancelled',
  'job-deleted',
  'account-mapped',
  'account-unmapped',
  'request-declined',
  'project-opened',
  'project-changed',
  'project-closed',
] as const;

export type ActKind = (typeof actKinds)[number];
