// Made by `npm run client:generate` from docs/openapi.json. Do not edit.

import type { Paged } from '../calls/paged.ts';
import type { CallOptions } from '../calls/settings.ts';

export type { Problem } from '../problems/problem-names.ts';

export type Batch = {
  readonly batch_id: string;
  readonly count: number;
  readonly counts: {
    readonly waiting: number;
    readonly running: number;
    readonly done: number;
    readonly failed: number;
    readonly cancelled: number;
  };
  readonly end_date: string | null;
  readonly held: { readonly time: number; readonly space: number };
  readonly init_date: string;
  readonly max_running: number | null;
  readonly owner: string;
  readonly project: number;
  readonly project_hpc: string;
  readonly project_name: string;
  readonly runtime: number;
  readonly title: string;
  readonly used: { readonly time: number; readonly space: number };
};

export type BatchEstimate = {
  readonly accepted: true;
  readonly count: number;
  readonly runtime: number;
  readonly held: { readonly time: number; readonly space: number };
  readonly left: { readonly time: number; readonly space: number };
  readonly living_jobs: number;
  readonly max_living_jobs: number;
  readonly account?: string;
  readonly resources?: {
    readonly memory?: string;
    readonly gpu_number?: number;
    readonly gpu_kind?: string;
    readonly class?: string;
  };
  readonly preview: { readonly index: number; readonly program: string; readonly title: string }[];
};

export type Estimate = {
  readonly accepted: true;
  readonly runtime: number;
  readonly held: { readonly time: number; readonly space: number };
  readonly left: { readonly time: number; readonly space: number };
  readonly living_jobs: number;
  readonly max_living_jobs: number;
  readonly similar?: {
    readonly jobs: number;
    readonly time: { readonly used: number; readonly asked: number };
  };
  readonly account?: string;
  readonly resources?: {
    readonly memory?: string;
    readonly gpu_number?: number;
    readonly gpu_kind?: string;
    readonly class?: string;
  };
};

export type Followed = { readonly followed: boolean };

export type Job = {
  readonly end_date: string | null;
  readonly failed: boolean;
  readonly id: number;
  readonly init_date: string;
  readonly job_id: string;
  readonly owner: string;
  readonly project: number;
  readonly project_hpc: string;
  readonly project_name: string;
  readonly runtime: number;
  readonly stage: string;
  readonly terminal_stage: boolean;
  readonly title: string;
  readonly batch?: string;
  readonly index?: number;
};

export type JobFile = {
  readonly fileid: string;
  readonly filename: string;
  readonly length: number;
  readonly starts_at?: number;
};

export type JobWithRequest = {
  readonly end_date: string | null;
  readonly failed: boolean;
  readonly id: number;
  readonly init_date: string;
  readonly job_id: string;
  readonly owner: string;
  readonly project: number;
  readonly project_hpc: string;
  readonly project_name: string;
  readonly runtime: number;
  readonly stage: string;
  readonly terminal_stage: boolean;
  readonly title: string;
  readonly batch?: string;
  readonly index?: number;
  readonly request?: {
    readonly command?: string;
    readonly tool?: string;
    readonly node_number: number;
    readonly core_number: number;
    readonly memory?: string;
    readonly gpu_number?: number;
    readonly gpu_kind?: string;
    readonly class?: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly input: { readonly filename: string; readonly length: number } | null;
  } | null;
};

export type Timeline = {
  readonly job_id: string;
  readonly stage: string;
  readonly terminal_stage: boolean;
  readonly reason: string | null;
  readonly running_since: string | null;
  readonly ran_seconds: number | null;
  readonly efficiency?: {
    readonly time: { readonly used: number; readonly asked: number };
    readonly cpu?: { readonly used: number; readonly asked: number };
    readonly memory?: { readonly used: number; readonly asked: number };
  };
  readonly resources?: {
    readonly memory?: string;
    readonly gpu_number?: number;
    readonly gpu_kind?: string;
    readonly class?: string;
  };
  readonly stages: { readonly stage: string; readonly since: string }[];
  readonly tries: {
    readonly at: string;
    readonly accepted: boolean;
    readonly reason: string | null;
  }[];
  readonly earlier_runs?: {
    readonly run: number;
    readonly began: string | null;
    readonly ended: string | null;
    readonly seconds: number;
    readonly lost: boolean;
    readonly reason: string;
    readonly sent_bytes: number | null;
  }[];
  readonly after?: {
    readonly job_id: string;
    readonly hpc: string;
    readonly project_name: string;
    readonly title: string;
    readonly stage: string;
    readonly state: 'active' | 'succeeded' | 'failed' | 'cancelled' | 'deleted';
    readonly any_end: boolean;
    readonly gives_input: boolean;
  }[];
  readonly awaited_by?: {
    readonly job_id: string;
    readonly hpc: string;
    readonly project_name: string;
    readonly title: string;
    readonly stage: string;
    readonly terminal_stage: boolean;
    readonly failed: boolean;
  }[];
};

export type Upload = {
  readonly upload_id: string;
  readonly filename: string;
  readonly length: number;
  readonly expires: string;
  readonly method: 'PUT';
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type GrantedRow =
  | {
      readonly line: number;
      readonly outcome: 'granted' | 'corrected' | 'unchanged';
      readonly user: string;
      readonly project_hpc: string;
      readonly project_name: string;
      readonly change: Readonly<
        Record<
          string,
          | string
          | number
          | null
          | { readonly before: string | number | null; readonly after: string | number | null }
        >
      > | null;
    }
  | {
      readonly line: number;
      readonly outcome: 'refused';
      readonly problem: {
        readonly type: string;
        readonly title: string;
        readonly detail: string;
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
    }
  | { readonly line: number; readonly outcome: 'not-done' };

export type JudgedRequest = {
  readonly request_id: string;
  readonly user: string;
  readonly project: number;
  readonly project_hpc: string;
  readonly project_name: string;
  readonly time: number;
  readonly space: number;
  readonly reason: string;
  readonly state: 'open' | 'approved' | 'declined' | 'withdrawn';
  readonly opened: string;
  readonly ended: string | null;
  readonly decision: {
    readonly by: string;
    readonly reason: string;
    readonly time: number | null;
    readonly space: number | null;
    readonly valid_until: string | null;
  } | null;
  readonly banned: string | null;
};

export type Ledger =
  | {
      readonly at: string;
      readonly kind: 'grant' | 'hold' | 'settle' | 'refund' | 'correction' | 'expiry' | 'share';
      readonly time: number;
      readonly space: number;
      readonly time_left: number;
      readonly space_left: number;
      readonly by: string;
      readonly reason: string;
      readonly job_id: string | null;
      readonly act_id: string | null;
      readonly settled?: {
        readonly outcome: 'succeeded' | 'failed' | 'cancelled';
        readonly used: number;
        readonly held: number;
        readonly excused?: number;
      };
      readonly batch_id?: string;
      readonly user?: string;
    }[]
  | {
      readonly day: string;
      readonly granted: { readonly time: number; readonly space: number };
      readonly expired: { readonly time: number; readonly space: number };
      readonly corrected: { readonly time: number; readonly space: number };
      readonly held: { readonly time: number; readonly space: number };
      readonly returned: { readonly time: number; readonly space: number };
      readonly used: { readonly time: number; readonly space: number };
      readonly change: { readonly time: number; readonly space: number };
    }[]
  | {
      readonly job_id: string;
      readonly corrected: { readonly time: number; readonly space: number };
      readonly held: { readonly time: number; readonly space: number };
      readonly returned: { readonly time: number; readonly space: number };
      readonly used: { readonly time: number; readonly space: number };
      readonly change: { readonly time: number; readonly space: number };
    }[];

export type Quota = {
  readonly id: number;
  readonly project: number;
  readonly project_hpc: string;
  readonly project_name: string;
  readonly space_left: number;
  readonly time_left: number;
  readonly user: string;
  readonly usage?: {
    readonly time: {
      readonly granted: number;
      readonly left: number;
      readonly held: number;
      readonly used: number;
    };
    readonly space: {
      readonly granted: number;
      readonly left: number;
      readonly held: number;
      readonly used: number;
    };
    readonly living_jobs: number;
    readonly valid_until: string | null;
    readonly renews: {
      readonly every: 'monthly' | 'quarterly' | 'yearly';
      readonly on: number;
      readonly month?: number;
      readonly to: { readonly time: number; readonly space: number };
      readonly carry_over: { readonly time: number; readonly space: number };
      readonly next: string | null;
    } | null;
    readonly banned: string | null;
    readonly from_budget?: { readonly time: number; readonly space: number };
  };
};

export type QuotaRequest = {
  readonly request_id: string;
  readonly user: string;
  readonly project: number;
  readonly project_hpc: string;
  readonly project_name: string;
  readonly time: number;
  readonly space: number;
  readonly reason: string;
  readonly state: 'open' | 'approved' | 'declined' | 'withdrawn';
  readonly opened: string;
  readonly ended: string | null;
  readonly decision: {
    readonly by: string;
    readonly reason: string;
    readonly time: number | null;
    readonly space: number | null;
    readonly valid_until: string | null;
  } | null;
};

export type QuotaWithUsage = {
  readonly id: number;
  readonly project: number;
  readonly project_hpc: string;
  readonly project_name: string;
  readonly space_left: number;
  readonly time_left: number;
  readonly user: string;
  readonly usage: {
    readonly time: {
      readonly granted: number;
      readonly left: number;
      readonly held: number;
      readonly used: number;
    };
    readonly space: {
      readonly granted: number;
      readonly left: number;
      readonly held: number;
      readonly used: number;
    };
    readonly living_jobs: number;
    readonly valid_until: string | null;
    readonly renews: {
      readonly every: 'monthly' | 'quarterly' | 'yearly';
      readonly on: number;
      readonly month?: number;
      readonly to: { readonly time: number; readonly space: number };
      readonly carry_over: { readonly time: number; readonly space: number };
      readonly next: string | null;
    } | null;
    readonly banned: string | null;
    readonly from_budget?: { readonly time: number; readonly space: number };
  };
};

export type ReportRow = {
  readonly user?: string;
  readonly project_hpc?: string;
  readonly project_name?: string;
  readonly day?: string;
  readonly month?: string;
  readonly time_used: number;
  readonly jobs_ended: number;
  readonly jobs_failed: number;
  readonly jobs_cancelled: number;
  readonly queue_time_median: number | null;
  readonly queue_time_p95: number | null;
  readonly run_time_median: number | null;
  readonly run_time_p95: number | null;
  readonly time_asked: number | null;
};

export type LedProject = {
  readonly project: number;
  readonly project_hpc: string;
  readonly project_name: string;
  readonly leaders: string[];
  readonly budget: {
    readonly time: {
      readonly granted: number;
      readonly left: number;
      readonly held: number;
      readonly used: number;
      readonly shared_out: number;
    };
    readonly space: {
      readonly granted: number;
      readonly left: number;
      readonly held: number;
      readonly used: number;
      readonly shared_out: number;
    };
    readonly living_jobs: number;
    readonly valid_until: string | null;
    readonly renews: {
      readonly every: 'monthly' | 'quarterly' | 'yearly';
      readonly on: number;
      readonly month?: number;
      readonly to: { readonly time: number; readonly space: number };
      readonly carry_over: { readonly time: number; readonly space: number };
      readonly next: string | null;
    } | null;
  } | null;
};

export type Project = {
  readonly id: number;
  readonly project_hpc: string;
  readonly project_name: string;
  readonly default: boolean;
  readonly max_living_jobs: number;
  readonly description?: string;
  readonly closed?: boolean;
  readonly shared?: true;
  readonly members?: { readonly group: string };
};

export type Status = {
  readonly status: 'up';
  readonly version: string;
  readonly systems: {
    readonly name: string;
    readonly project_hpc: string;
    readonly status: 'up' | 'down' | 'unknown';
  }[];
};

export type System = {
  readonly name: string;
  readonly project_hpc: string;
  readonly description: string;
  readonly announcement?: string;
  readonly projects: string[];
  readonly default_project: string;
  readonly payload: { readonly required: string[]; readonly optional: string[] };
  readonly limits: {
    readonly node_number: number;
    readonly core_number: number;
    readonly runtime: number;
    readonly memory?: string;
    readonly gpu_number?: number;
  };
  readonly charging: 'wall-clock' | 'node' | 'core' | 'weights';
  readonly weights?: {
    readonly per: { readonly core: number; readonly gpu: number; readonly memory_gb: number };
    readonly rule: 'sum' | 'max';
  };
  readonly gpu_kinds?: string[];
  readonly classes?: {
    readonly name: string;
    readonly description?: string;
    readonly projects?: string[];
    readonly limits: {
      readonly node_number: number;
      readonly core_number: number;
      readonly runtime: number;
      readonly memory?: string;
      readonly gpu_number?: number;
    };
    readonly weights?: {
      readonly per: { readonly core: number; readonly gpu: number; readonly memory_gb: number };
      readonly rule: 'sum' | 'max';
    };
    readonly charging_factor: number;
  }[];
  readonly simulated: boolean;
  readonly machine?: {
    readonly cores: number;
    readonly memory_megabytes: number;
    readonly limits: string;
    readonly sandboxed: boolean;
    readonly tools?: { readonly name: string; readonly available: boolean }[];
  };
  readonly live_output: boolean;
  readonly cancel_keeps_output: boolean;
  readonly stages: string[];
  readonly stage_meanings: Readonly<
    Record<
      string,
      'waiting' | 'starting' | 'running' | 'finishing' | 'done' | 'failed' | 'cancelled' | 'deleted'
    >
  >;
};

export type SystemReport = {
  readonly name: string;
  readonly project_hpc: string;
  readonly status: 'up' | 'down' | 'unknown';
  readonly last_contact: string | null;
  readonly failing_since: string | null;
  readonly breaker: {
    readonly state: 'closed' | 'open' | 'trial';
    readonly failures: number;
    readonly open_until: string | null;
  };
  readonly last_error: { readonly at: string; readonly reason: string } | null;
  readonly history?: {
    readonly day: string;
    readonly up: number;
    readonly slow: number;
    readonly down: number;
  }[];
  readonly spending?: {
    readonly estimate: number;
    readonly used: number;
    readonly held: number;
    readonly budget: number | null;
    readonly opens_at: string;
  };
};

export type Delivery = {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly type:
    | 'job.submitted'
    | 'job.stage-changed'
    | 'job.ended'
    | 'batch.progress'
    | 'batch.ended'
    | 'quota.low'
    | 'quota.expiring'
    | 'quota.renewing'
    | 'quota.renewed'
    | 'request.opened'
    | 'request.approved'
    | 'request.declined'
    | 'webhook.test';
  readonly at: string;
  readonly state: 'waiting' | 'delivered' | 'given-up';
  readonly next_try: string | null;
  readonly tries: {
    readonly at: string;
    readonly status: number | null;
    readonly reason: string | null;
    readonly ms: number;
  }[];
};

export type NewWebhook = {
  readonly webhook_id: string;
  readonly url: string;
  readonly events: (
    | 'job.submitted'
    | 'job.stage-changed'
    | 'job.ended'
    | 'batch.progress'
    | 'batch.ended'
    | 'quota.low'
    | 'quota.expiring'
    | 'quota.renewing'
    | 'quota.renewed'
    | 'request.opened'
    | 'request.approved'
    | 'request.declined'
  )[];
  readonly description: string;
  readonly created: string;
  readonly secret: string;
};

export type Notifications = {
  readonly available: boolean;
  readonly email: string | null;
  readonly unconfirmed_email: string | null;
  readonly token_email: string | null;
  readonly events: ('job.ended' | 'batch.ended' | 'quota.low' | 'request.decided')[];
  readonly digest: 'when-many' | 'daily';
};

export type Webhook = {
  readonly webhook_id: string;
  readonly url: string;
  readonly events: (
    | 'job.submitted'
    | 'job.stage-changed'
    | 'job.ended'
    | 'batch.progress'
    | 'batch.ended'
    | 'quota.low'
    | 'quota.expiring'
    | 'quota.renewing'
    | 'quota.renewed'
    | 'request.opened'
    | 'request.approved'
    | 'request.declined'
  )[];
  readonly description: string;
  readonly created: string;
};

export type Account = { readonly user: string; readonly hpc: string; readonly account: string };

export type AccountRow =
  | {
      readonly line: number;
      readonly outcome: 'created' | 'changed' | 'unchanged';
      readonly user: string;
      readonly hpc: string;
      readonly account: string;
    }
  | {
      readonly line: number;
      readonly outcome: 'refused';
      readonly problem: {
        readonly type: string;
        readonly title: string;
        readonly detail: string;
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
    }
  | { readonly line: number; readonly outcome: 'not-done' };

export type Act = {
  readonly act_id: string;
  readonly kind:
    | 'quota-granted'
    | 'quota-removed'
    | 'quota-corrected'
    | 'user-banned'
    | 'user-unbanned'
    | 'job-cancelled'
    | 'job-deleted'
    | 'account-mapped'
    | 'account-unmapped'
    | 'request-declined'
    | 'project-opened'
    | 'project-changed'
    | 'project-closed'
    | 'budget-changed'
    | 'leaders-changed';
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  readonly user: string | null;
  readonly project_hpc: string | null;
  readonly project_name: string | null;
  readonly job_id: string | null;
  readonly details: Readonly<
    Record<
      string,
      | string
      | number
      | null
      | { readonly before: string | number | null; readonly after: string | number | null }
    >
  >;
};

export type User = {
  readonly user: string;
  readonly subject?: string | null;
  readonly first_seen: string;
  readonly banned: string | null;
  readonly bans: {
    readonly project_hpc: string;
    readonly project_name: string;
    readonly reason: string;
  }[];
  readonly activity?: {
    readonly last_submission: string | null;
    readonly time_used: number;
    readonly jobs_ended: number;
  };
};

export type Payload = {
  readonly command?: string;
  readonly tool?: string;
  readonly node_number: number | string;
  readonly core_number: number | string;
  readonly runtime: number | string;
  readonly title?: string;
  readonly memory?: string;
  readonly gpu_number?: number | string;
  readonly gpu_kind?: string;
  readonly class?: string;
  readonly after?: string[] | string;
  readonly after_any?: string[] | string;
  readonly input_from?: string;
  readonly input_folder?: string;
};

export type BatchPayload = {
  readonly command?: string;
  readonly tool?: string;
  readonly node_number: number | string;
  readonly core_number: number | string;
  readonly runtime: number | string;
  readonly title?: string;
  readonly memory?: string;
  readonly gpu_number?: number | string;
  readonly gpu_kind?: string;
  readonly class?: string;
  readonly after?: string[] | string;
  readonly after_any?: string[] | string;
  readonly input_from?: string;
  readonly input_folder?: string;
  readonly count?: number | string;
  readonly table?: string;
  readonly max_running?: number | string;
};

/** A method for each operation of the service. */
export interface Operations {
  /** List your jobs. In ascending order of `id`. Without parameters you get everything that fits into one answer. If there is more, `Link` leads to the next page. */
  listJobs(
    input?: {
      readonly hpc?: string | undefined;
      readonly project_name?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly stage?: string | undefined;
      readonly terminal?: boolean | undefined;
      readonly failed?: boolean | undefined;
      readonly title?: string | undefined;
      readonly since?: string | undefined;
      readonly until?: string | undefined;
      readonly order?: 'asc' | 'desc' | undefined;
      readonly job_id?: string | undefined;
      readonly batch?: string | undefined;
    },
    options?: CallOptions,
  ): Paged<Job>;
  /** Get one of your jobs. With `expand=request` the answer also says what the job asked for. */
  getJob(
    input: {
      readonly hpc: string;
      readonly project_name: string;
      readonly job_id: string;
      readonly expand?: 'request' | undefined;
    },
    options?: CallOptions,
  ): Promise<JobWithRequest>;
  /** Cancel an active job, or delete an ended one. Repeating the request changes nothing. With `only`, a job to which the request does not apply stays as it is, and you can delete a cancelled job. */
  deleteJob(
    input: {
      readonly hpc: string;
      readonly project_name: string;
      readonly job_id: string;
      readonly only?: 'cancel' | 'delete' | undefined;
    },
    options?: CallOptions,
  ): Promise<Job>;
  /** Get the timeline of a job, and why it waits */
  getTimeline(
    input: { readonly hpc: string; readonly project_name: string; readonly job_id: string },
    options?: CallOptions,
  ): Promise<Timeline>;
  /** List your batches. The newest first. `Link` leads to the next page. */
  listBatches(
    input?: {
      readonly hpc?: string | undefined;
      readonly project_name?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    },
    options?: CallOptions,
  ): Paged<Batch>;
  /** Submit the failed jobs of a batch again. They become a batch of their own, with the same zip and the same values, also that of `{index}`. */
  repeatFailed(
    input: { readonly hpc: string; readonly project_name: string; readonly batch_id: string },
    options?: CallOptions,
  ): Promise<Batch>;
  /** Get one of your batches. Its jobs are at `GET /jobs/?batch=`. */
  getBatch(
    input: { readonly hpc: string; readonly project_name: string; readonly batch_id: string },
    options?: CallOptions,
  ): Promise<Batch>;
  /** Cancel the active jobs of a batch, or delete an ended batch. The jobs are cancelled or deleted in the background. Repeating the request changes nothing: a cancelled batch is deleted only with `only=delete`. */
  deleteBatch(
    input: {
      readonly hpc: string;
      readonly project_name: string;
      readonly batch_id: string;
      readonly only?: 'cancel' | 'delete' | undefined;
    },
    options?: CallOptions,
  ): Promise<Batch>;
  /** Get an address to which you can upload a large zip */
  createUpload(
    input: { readonly body: { readonly filename: string; readonly length: number } },
    options?: CallOptions,
  ): Promise<Upload>;
  /** List the files of a job */
  listFiles(
    input: { readonly hpc: string; readonly project_name: string; readonly job_id: string },
    options?: CallOptions,
  ): Promise<JobFile[]>;
  /** List your quotas. The first call of a new user creates the default quotas. */
  listQuotas(
    input?: { readonly hpc?: string | undefined; readonly expand?: 'usage' | undefined },
    options?: CallOptions,
  ): Promise<Quota[]>;
  /** Get one of your quotas */
  getQuota(
    input: {
      readonly hpc: string;
      readonly project_name: string;
      readonly expand?: 'usage' | undefined;
    },
    options?: CallOptions,
  ): Promise<Quota>;
  /** List every change of one of your quotas, newest first */
  readLedger(
    input: {
      readonly hpc: string;
      readonly project_name: string;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly since?: string | undefined;
      readonly until?: string | undefined;
      readonly sum?: 'day' | 'job' | undefined;
    },
    options?: CallOptions,
  ): Paged<Ledger[number]>;
  /** List a user's quotas */
  listQuotasOfUser(
    input: {
      readonly user_id: string;
      readonly hpc?: string | undefined;
      readonly expand?: 'usage' | undefined;
    },
    options?: CallOptions,
  ): Promise<Quota[]>;
  /** Get one of a user's quotas */
  getQuotaOfUser(
    input: {
      readonly user_id: string;
      readonly hpc: string;
      readonly project_name: string;
      readonly expand?: 'usage' | undefined;
    },
    options?: CallOptions,
  ): Promise<Quota>;
  /** Grant, correct or extend a quota */
  grantQuota(
    input: {
      readonly user_id: string;
      readonly hpc: string;
      readonly project_name: string;
      readonly body: {
        readonly reason: string;
        readonly set?: { readonly time?: number; readonly space?: number };
        readonly add?: { readonly time?: number; readonly space?: number };
        readonly valid_until?: string | null;
        readonly renews?: {
          readonly every: 'monthly' | 'quarterly' | 'yearly';
          readonly on: number;
          readonly month?: number;
          readonly to: { readonly time: number; readonly space: number };
          readonly carry_over?: { readonly time?: number; readonly space?: number };
        } | null;
      };
    },
    options?: CallOptions,
  ): Promise<QuotaWithUsage>;
  /** Remove a quota */
  removeQuota(
    input: {
      readonly user_id: string;
      readonly hpc: string;
      readonly project_name: string;
      readonly reason?: string | undefined;
      readonly with_jobs?: boolean | undefined;
      readonly body?: { readonly reason: string };
    },
    options?: CallOptions,
  ): Promise<QuotaWithUsage>;
  /** List every change of one of a user's quotas, newest first */
  readLedgerOfUser(
    input: {
      readonly user_id: string;
      readonly hpc: string;
      readonly project_name: string;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly since?: string | undefined;
      readonly until?: string | undefined;
      readonly sum?: 'day' | 'job' | undefined;
    },
    options?: CallOptions,
  ): Paged<Ledger[number]>;
  /** List everybody's quotas */
  listAllQuotas(
    input?: {
      readonly hpc?: string | undefined;
      readonly project?: string | undefined;
      readonly user?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly expand?: 'usage' | undefined;
    },
    options?: CallOptions,
  ): Paged<Quota>;
  /** List administrators' acts, newest first */
  readAudit(
    input?: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly since?: string | undefined;
      readonly until?: string | undefined;
      readonly by?: string | undefined;
      readonly user?: string | undefined;
      readonly kind?:
        | 'quota-granted'
        | 'quota-removed'
        | 'quota-corrected'
        | 'user-banned'
        | 'user-unbanned'
        | 'job-cancelled'
        | 'job-deleted'
        | 'account-mapped'
        | 'account-unmapped'
        | 'request-declined'
        | 'project-opened'
        | 'project-changed'
        | 'project-closed'
        | 'budget-changed'
        | 'leaders-changed'
        | undefined;
    },
    options?: CallOptions,
  ): Paged<Act>;
  /** Get the state of the HPC systems: since when one fails, its breaker, its last error. With `history` the answer also says how each system was on the last days. */
  reportSystems(
    input?: { readonly history?: number | undefined },
    options?: CallOptions,
  ): Promise<SystemReport[]>;
  /** List all users. With `expand=activity` the answer also says when users last submitted, and what they used. */
  listUsers(
    input?: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly expand?: 'activity' | undefined;
    },
    options?: CallOptions,
  ): Paged<User>;
  /** Get one user */
  getUser(input: { readonly user_id: string }, options?: CallOptions): Promise<User>;
  /** List a user's accounts on the HPC systems */
  listAccounts(input: { readonly user_id: string }, options?: CallOptions): Promise<Account[]>;
  /** Get a user's account on an HPC system */
  getAccount(
    input: { readonly user_id: string; readonly hpc: string },
    options?: CallOptions,
  ): Promise<Account>;
  /** Set the account under which a user's jobs run on an HPC system */
  mapAccount(
    input: {
      readonly user_id: string;
      readonly hpc: string;
      readonly body: { readonly account: string; readonly reason: string };
    },
    options?: CallOptions,
  ): Promise<Account>;
  /** Remove a user's account on an HPC system */
  unmapAccount(
    input: {
      readonly user_id: string;
      readonly hpc: string;
      readonly reason?: string | undefined;
      readonly body?: { readonly reason: string };
    },
    options?: CallOptions,
  ): Promise<Account>;
  /** Ban a user from submitting, anywhere or to one project */
  banUser(
    input: {
      readonly user_id: string;
      readonly hpc?: string | undefined;
      readonly project_name?: string | undefined;
      readonly body: { readonly reason: string };
    },
    options?: CallOptions,
  ): Promise<User>;
  /** Lift a ban */
  unbanUser(
    input: {
      readonly user_id: string;
      readonly hpc?: string | undefined;
      readonly project_name?: string | undefined;
      readonly reason?: string | undefined;
      readonly body?: { readonly reason: string };
    },
    options?: CallOptions,
  ): Promise<User>;
  /** List everybody's jobs */
  listAllJobs(
    input?: {
      readonly hpc?: string | undefined;
      readonly project_name?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly stage?: string | undefined;
      readonly terminal?: boolean | undefined;
      readonly failed?: boolean | undefined;
      readonly title?: string | undefined;
      readonly since?: string | undefined;
      readonly until?: string | undefined;
      readonly order?: 'asc' | 'desc' | undefined;
      readonly job_id?: string | undefined;
      readonly user?: string | undefined;
    },
    options?: CallOptions,
  ): Paged<Job>;
  /** Get anybody's job. With `expand=request` the answer also says what the job asked for. */
  getAnyJob(
    input: {
      readonly hpc: string;
      readonly project_name: string;
      readonly job_id: string;
      readonly expand?: 'request' | undefined;
    },
    options?: CallOptions,
  ): Promise<JobWithRequest>;
  /** Cancel anybody's active job, or delete an ended one */
  deleteAnyJob(
    input: {
      readonly hpc: string;
      readonly project_name: string;
      readonly job_id: string;
      readonly reason?: string | undefined;
      readonly body?: { readonly reason: string };
    },
    options?: CallOptions,
  ): Promise<Job>;
  /** Get the timeline of anybody's job, and why it waits */
  getAnyTimeline(
    input: { readonly hpc: string; readonly project_name: string; readonly job_id: string },
    options?: CallOptions,
  ): Promise<Timeline>;
  /** Ask for more time or space in a project */
  askForMore(
    input: {
      readonly body: {
        readonly hpc: string;
        readonly project_name: string;
        readonly time?: number;
        readonly space?: number;
        readonly reason: string;
      };
    },
    options?: CallOptions,
  ): Promise<QuotaRequest>;
  /** List your requests, oldest first */
  listRequests(
    input?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
    options?: CallOptions,
  ): Paged<QuotaRequest>;
  /** Get one of your requests */
  getRequest(input: { readonly request_id: string }, options?: CallOptions): Promise<QuotaRequest>;
  /** Withdraw a request */
  withdrawRequest(
    input: { readonly request_id: string },
    options?: CallOptions,
  ): Promise<QuotaRequest>;
  /** List everybody's requests in one state, oldest first */
  listAllRequests(
    input?: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly state?: 'open' | 'approved' | 'declined' | 'withdrawn' | undefined;
      readonly hpc?: string | undefined;
      readonly project?: string | undefined;
    },
    options?: CallOptions,
  ): Paged<JudgedRequest>;
  /** Get anybody's request */
  getAnyRequest(
    input: { readonly request_id: string },
    options?: CallOptions,
  ): Promise<JudgedRequest>;
  /** Approve a request and grant its amount */
  approveRequest(
    input: {
      readonly request_id: string;
      readonly body: {
        readonly reason: string;
        readonly time?: number;
        readonly space?: number;
        readonly valid_until?: string | null;
      };
    },
    options?: CallOptions,
  ): Promise<JudgedRequest>;
  /** Decline a request */
  declineRequest(
    input: { readonly request_id: string; readonly body: { readonly reason: string } },
    options?: CallOptions,
  ): Promise<JudgedRequest>;
  /** Report what ended jobs used, by user, project, system, day or month. With `Accept: text/csv` you get a table. */
  reportUsage(
    input?: {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly by?: string | undefined;
      readonly since?: string | undefined;
      readonly until?: string | undefined;
      readonly user?: string | undefined;
      readonly hpc?: string | undefined;
      readonly project_name?: string | undefined;
    },
    options?: CallOptions,
  ): Paged<ReportRow>;
  /** Report what your ended jobs used, by project, system, day or month. With `Accept: text/csv` you get a table. */
  readUsage(
    input?: {
      readonly by?: string | undefined;
      readonly since?: string | undefined;
      readonly until?: string | undefined;
    },
    options?: CallOptions,
  ): Promise<ReportRow[]>;
  /** List your webhooks, oldest first */
  listWebhooks(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Webhook[]>;
  /** Create a webhook. The answer is the only one that shows its secret. */
  createWebhook(
    input: {
      readonly body: {
        readonly url: string;
        readonly events?: (
          | 'job.submitted'
          | 'job.stage-changed'
          | 'job.ended'
          | 'batch.progress'
          | 'batch.ended'
          | 'quota.low'
          | 'quota.expiring'
          | 'quota.renewing'
          | 'quota.renewed'
          | 'request.opened'
          | 'request.approved'
          | 'request.declined'
        )[];
        readonly description?: string;
      };
    },
    options?: CallOptions,
  ): Promise<NewWebhook>;
  /** Get one of your webhooks */
  getWebhook(input: { readonly webhook_id: string }, options?: CallOptions): Promise<Webhook>;
  /** Delete a webhook */
  deleteWebhook(input: { readonly webhook_id: string }, options?: CallOptions): Promise<Webhook>;
  /** List the deliveries of a webhook in the last 30 days */
  listDeliveries(
    input: {
      readonly webhook_id: string;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    },
    options?: CallOptions,
  ): Paged<Delivery>;
  /** Get what you are told by mail */
  getNotifications(
    input?: Readonly<Record<string, never>>,
    options?: CallOptions,
  ): Promise<Notifications>;
  /** Choose what you are told by mail. What you leave out stays as it is. An address other than the one in your token gets a mail with a link that confirms it. */
  changeNotifications(
    input: {
      readonly body: {
        readonly email?: string | null;
        readonly events?: ('job.ended' | 'batch.ended' | 'quota.low' | 'request.decided')[];
        readonly digest?: 'when-many' | 'daily';
      };
    },
    options?: CallOptions,
  ): Promise<Notifications>;
  /** Send a test to a webhook. Sends `webhook.test` within a minute, once and without retries. The list of deliveries shows the answer of the receiver. */
  testWebhook(input: { readonly webhook_id: string }, options?: CallOptions): Promise<Delivery>;
  /** Send a delivery again. Sends it again within a minute, also if it was delivered or given up. The body and its `webhook-id` stay the same. If it fails, it is retried for a day. */
  sendAgain(
    input: { readonly webhook_id: string; readonly delivery_id: string },
    options?: CallOptions,
  ): Promise<Delivery>;
  /** List the HPC systems: fields, limits, stages and their meanings */
  listSystems(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<System[]>;
  /** List the projects. With `led=true` only those that you lead. */
  listProjects(
    input?: { readonly hpc?: string | undefined; readonly led?: boolean | undefined },
    options?: CallOptions,
  ): Promise<Project[]>;
  /** Get a project */
  getProject(
    input: { readonly hpc: string; readonly project_name: string },
    options?: CallOptions,
  ): Promise<Project>;
  /** Get the budget and the leaders of a project. For its leaders and administrators. */
  getBudget(
    input: { readonly hpc: string; readonly project_name: string },
    options?: CallOptions,
  ): Promise<LedProject>;
  /** Get the ledger of a project's budget, newest lines first. For its leaders and administrators. */
  readBudgetLedger(
    input: {
      readonly hpc: string;
      readonly project_name: string;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
      readonly since?: string | undefined;
      readonly until?: string | undefined;
      readonly sum?: 'day' | 'job' | undefined;
    },
    options?: CallOptions,
  ): Paged<Ledger[number]>;
  /** Open, change or reopen a project */
  openProject(
    input: {
      readonly hpc: string;
      readonly any_project_name: string;
      readonly body: {
        readonly description?: string;
        readonly max_living_jobs?: number;
        readonly shared?: boolean;
        readonly members?: { readonly group: string } | null;
        readonly reason: string;
      };
    },
    options?: CallOptions,
  ): Promise<Project>;
  /** Close a project, so that nobody can submit to it */
  closeProject(
    input: {
      readonly hpc: string;
      readonly any_project_name: string;
      readonly reason?: string | undefined;
      readonly body?: { readonly reason: string };
    },
    options?: CallOptions,
  ): Promise<Project>;
  /** Give a project a budget, or change it */
  changeBudget(
    input: {
      readonly hpc: string;
      readonly project_name: string;
      readonly body: {
        readonly reason: string;
        readonly set?: { readonly time?: number; readonly space?: number };
        readonly add?: { readonly time?: number; readonly space?: number };
        readonly valid_until?: string | null;
        readonly renews?: {
          readonly every: 'monthly' | 'quarterly' | 'yearly';
          readonly on: number;
          readonly month?: number;
          readonly to: { readonly time: number; readonly space: number };
          readonly carry_over?: { readonly time?: number; readonly space?: number };
        } | null;
      };
    },
    options?: CallOptions,
  ): Promise<LedProject>;
  /** Say who leads a project */
  setLeaders(
    input: {
      readonly hpc: string;
      readonly project_name: string;
      readonly body: { readonly leaders: string[]; readonly reason: string };
    },
    options?: CallOptions,
  ): Promise<LedProject>;
  /** Check whether the service and its systems are up */
  readStatus(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Status>;
}
