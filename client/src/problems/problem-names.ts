// Made by `npm run client:generate` from docs/openapi.json. Do not edit.

export type ProblemName =
  | 'account-missing'
  | 'account-not-found'
  | 'accounts-not-used'
  | 'awaited-failed'
  | 'banned'
  | 'batch-input-gone'
  | 'batch-not-found'
  | 'body-too-large'
  | 'budget-ends'
  | 'budget-not-found'
  | 'budget-spent'
  | 'budget-too-small'
  | 'busy'
  | 'delivery-not-found'
  | 'event-for-administrators'
  | 'file-not-found'
  | 'file-too-large'
  | 'grant-too-large'
  | 'idempotency-key-in-use'
  | 'idempotency-key-reused'
  | 'identity-unavailable'
  | 'internal-error'
  | 'invalid-request'
  | 'invalid-token'
  | 'job-not-found'
  | 'job-runs-elsewhere'
  | 'link-not-valid'
  | 'mail-not-set-up'
  | 'no-budget'
  | 'no-quota'
  | 'not-administrator'
  | 'not-from-budget'
  | 'not-leader'
  | 'not-member'
  | 'nothing-failed'
  | 'path-not-found'
  | 'project-closed'
  | 'project-in-catalog'
  | 'project-not-found'
  | 'quota-exceeded'
  | 'quota-expired'
  | 'quota-in-use'
  | 'quota-not-found'
  | 'records-full'
  | 'request-ended'
  | 'request-not-found'
  | 'request-open'
  | 'results-too-large'
  | 'storage-unavailable'
  | 'submission-uncertain'
  | 'system-busy'
  | 'system-not-found'
  | 'system-unavailable'
  | 'timeout'
  | 'too-many-calls'
  | 'too-many-downloads'
  | 'too-many-jobs'
  | 'too-many-links'
  | 'too-many-open-requests'
  | 'too-many-uploads'
  | 'too-many-webhooks'
  | 'unavailable'
  | 'unsupported-body'
  | 'upload-unfinished'
  | 'upload-used'
  | 'uploads-too-large'
  | 'user-not-found'
  | 'webhook-not-found';

export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly errors?: {
    readonly location: 'path' | 'payload' | 'header' | 'query' | 'body';
    readonly name: string;
    readonly message: string;
  }[];
  readonly project_hpc?: string;
  readonly project_name?: string;
  readonly charging?: 'wall-clock' | 'node' | 'core' | 'weights';
  readonly asked?: { readonly time: number; readonly space: number };
  readonly left?: { readonly time: number; readonly space: number };
  readonly estimate?: number;
  readonly cost?: number;
  readonly budget?: number;
  readonly opens_at?: string;
  readonly time?: {
    readonly granted: number;
    readonly left: number;
    readonly held: number;
    readonly used: number;
  };
  readonly space?: {
    readonly granted: number;
    readonly left: number;
    readonly held: number;
    readonly used: number;
  };
  readonly lowest?: { readonly time: number; readonly space: number };
  readonly living_jobs?: number;
  readonly ended_jobs?: number;
  readonly discarded_jobs?: number;
  readonly limit?: number;
  readonly count?: number;
  readonly reason?: string;
  readonly request_id?: string;
  readonly state?: string;
  readonly by?: string;
};
