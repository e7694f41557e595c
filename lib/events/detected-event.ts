import type { Batch } from '#lib/batches/batch.ts';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { Job } from '#lib/jobs/job.ts';
import type { OpenedProject } from '#lib/projects/opened-project.ts';
import type { Quota } from '#lib/quotas/quota.ts';
import type { RenewalAmounts } from '#lib/quotas/renewal.ts';
import type { QuotaRequest } from '#lib/requests/quota-request.ts';
import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Login } from '#lib/users/logins/login.ts';

interface Occurrence {
  /** Stays the same however often the stream delivers the change. */
  readonly id: string;
  readonly owner?: UserId;
  readonly at: Date;
}

export type Resource = 'time' | 'space';

/** What happened, in the words of the domain. */
export type DetectedEvent = OwnEvent | SystemEvent;

export interface SystemEvent extends Omit<Occurrence, 'owner'> {
  readonly type:
    | 'system.maintenance-announced'
    | 'system.maintenance-changed'
    | 'system.maintenance-ended';
  readonly owner?: undefined;
  readonly hpc: SystemName;
  readonly window: MaintenanceWindow;
}

type OwnEvent = Occurrence &
  (
    | { readonly type: 'job.submitted' | 'job.ended'; readonly job: Job }
    | { readonly type: 'job.stage-changed'; readonly job: Job; readonly previousStage: string }
    | { readonly type: 'batch.progress' | 'batch.ended'; readonly batch: Batch }
    | {
        readonly type: 'quota.low';
        readonly quota: Quota;
        readonly resource: Resource;
        readonly thresholdPercent: number;
        /** What the percentages refer to. For a quota that renews, this period's grant. */
        readonly granted: number;
      }
    | {
        readonly type: 'quota.expiring';
        readonly quota: Quota;
        readonly validUntil: Date;
        readonly daysLeft: number;
      }
    | {
        readonly type: 'quota.renewing';
        readonly quota: Quota;
        readonly renewsAt: Date;
        readonly amounts: RenewalAmounts;
      }
    | {
        readonly type: 'quota.renewed';
        readonly quota: Quota;
        readonly renewedAt: Date;
        readonly next: Date;
        readonly amounts: RenewalAmounts;
      }
    | {
        readonly type: 'request.opened' | 'request.approved' | 'request.declined';
        readonly request: QuotaRequest;
      }
    | { readonly type: 'project.opened' | 'project.closed'; readonly project: OpenedProject }
    | { readonly type: 'budget.changed'; readonly budget: Quota }
    | { readonly type: 'member.joined'; readonly quota: Quota }
    | {
        readonly type: 'member.left';
        readonly account: AccountKey;
        readonly by: string;
        readonly reason: string;
      }
    | { readonly type: 'account.mapped'; readonly login: Login; readonly before?: string }
  );
