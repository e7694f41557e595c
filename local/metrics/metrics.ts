import type { Measurement } from '#lib/telemetry/measurements.ts';

/** A metric as Prometheus reads it. docs/monitoring.md has the same table; a test compares them. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** The measurement that it adds up or shows. The others are read when they are asked for. */
  readonly of?: Measurement['name'];
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[];
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const counter = (help: string, labels: readonly string[], of?: Measurement['name']): Metric => ({
  type: 'counter',
  help,
  labels,
  ...(of && { of }),
});

const gauge = (help: string, ...labels: readonly string[]): Metric => ({
  type: 'gauge',
  help,
  labels,
});

/**
 * Labels have few values: systems, projects, stages, words of the service. Jobs and users are never
 * among them, because every value is a series of its own, and users' names are nobody's business here.
 */
const metrics = {
  slipway_build_info: gauge('1, with the version that runs.', 'version'),

  slipway_jobs: gauge('Jobs in a stage, ended ones included.', 'hpc', 'project', 'stage'),
  slipway_submissions_total: counter('Accepted jobs.', ['hpc'], 'Submissions'),
  slipway_stage_changes_total: counter('Jobs entering a stage.', ['hpc', 'stage'], 'StageChanges'),
  slipway_refusals_total: counter('Refused requests by problem.', ['reason'], 'Refusals'),
  slipway_job_ends_total: counter('Settled jobs by outcome.', ['hpc', 'outcome'], 'JobEnds'),
  slipway_job_wait_seconds: {
    type: 'histogram',
    help: 'Time from submission until a job ran, observed at its end.',
    labels: ['hpc'],
    of: 'WaitSeconds',
    buckets: [
      10,
      minute,
      5 * minute,
      15 * minute,
      hour,
      4 * hour,
      12 * hour,
      day,
      3 * day,
      7 * day,
    ],
  },

  slipway_quota_seconds: gauge(
    'Granted time of all users: left, held or used.',
    'hpc',
    'project',
    'part',
  ),
  slipway_quota_bytes: gauge(
    'Granted space of all users: left, held or used.',
    'hpc',
    'project',
    'part',
  ),
  slipway_budget_seconds: gauge(
    'Time in the budget of a project: left, held or used.',
    'hpc',
    'project',
    'part',
  ),
  slipway_budget_bytes: gauge(
    'Space in the budget of a project: left, held or used.',
    'hpc',
    'project',
    'part',
  ),

  slipway_due_items: gauge(
    'What is due now: jobs, deliveries, mailboxes and so on.',
    'queue',
    'hpc',
  ),
  slipway_oldest_due_seconds: gauge(
    'For how long the oldest item of a queue has been due.',
    'queue',
    'hpc',
  ),

  slipway_system_up: gauge('1 if the system answers, 0 if it does not.', 'hpc'),
  slipway_system_last_contact_timestamp_seconds: gauge('When the system last answered.', 'hpc'),
  slipway_breaker_open: gauge('1 while the system is not called because it failed.', 'hpc'),
  slipway_breaker_failures: gauge('Failed calls in a row.', 'hpc'),
  slipway_system_call_seconds: {
    type: 'histogram',
    help: 'Calls to a system. A try to hand over a job is the call submit or submitArray.',
    labels: ['hpc', 'call', 'outcome'],
    of: 'SystemCallSeconds',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },

  slipway_requests_total: counter('Answered requests by function and class of status.', [
    'function',
    'status',
  ]),
  slipway_request_seconds: {
    type: 'histogram',
    help: 'Time from the first byte of a request to the last of its answer.',
    labels: ['function'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3, 10, 30],
  },

  slipway_schedule_runs_total: counter(
    'Runs of the functions that the clock calls.',
    ['schedule', 'outcome'],
    'ScheduleRuns',
  ),
  slipway_stream_waiting_changes: gauge(
    'Changes of the table that a reader has yet to read.',
    'reader',
  ),
  slipway_stream_age_seconds: gauge(
    'Age of the oldest change that a reader has yet to read.',
    'reader',
  ),
  slipway_damaged_records_total: counter('Changes that were skipped.', [], 'DamagedRecords'),
  slipway_events_dropped_total: counter(
    'Events given up because a function failed to take them.',
    ['receiver'],
    'EventsDropped',
  ),
  slipway_delivery_tries_total: counter(
    'Pushes to webhooks by the state that they led to.',
    ['state'],
    'DeliveryTries',
  ),
  slipway_mail_tries_total: counter(
    'Mails that the mail server took or refused.',
    ['outcome'],
    'MailTries',
  ),

  slipway_table_writable: gauge('0 if the disk is full or the table is damaged.'),
  slipway_table_bytes: gauge('Size of the table on the disk.'),
  slipway_replica_age_seconds: gauge('Since when something may be missing in the replica.'),
  slipway_replica_bytes: gauge('Size of the folder of the replica.'),
  slipway_disk_free_bytes: gauge('Free space where the data is.'),
  slipway_disk_size_bytes: gauge('Size of the file system where the data is.'),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

export const metricEntries: readonly (readonly [string, Metric])[] = Object.entries(metrics);

/** A value of a gauge, read when somebody asks. */
export interface Sample {
  readonly name: MetricName;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}
