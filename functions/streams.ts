import type { ScheduleName } from './schedules.ts';

/** A function that receives changes of the table, in order and at least once. */
export interface StreamReader {
  /** The file under functions/, without its extension. */
  readonly file: string;
  /**
   * Filters of the event source, of which AWS allows five. The function receives changes that match
   * any of them.
   */
  readonly filters: readonly StreamFilter[];
  /** Whether it sends events to the bus. */
  readonly publishes?: boolean;
  /** The schedule that does its work if it fails. Without one, what it cannot handle is kept. */
  readonly takenUpBy?: ScheduleName;
}

export interface StreamFilter {
  readonly eventName: readonly ('INSERT' | 'MODIFY')[];
  /** The `type` of the item after the change, or several of them. */
  readonly itemType: string | readonly string[];
  /** Matches only if this attribute is true. */
  readonly flag?: string;
  /** Matches only items of this `kind`. */
  readonly kind?: string;
}

/**
 * Lists all functions that the table's stream calls, for infra, the laptop edition and the tests.
 */
export const streams = {
  'dispatch-jobs': {
    file: 'streams/dispatch-jobs',
    // New and cancelled jobs and batches can be processed at once, and jobs whose turn has come.
    filters: [
      { eventName: ['INSERT'], itemType: ['job-life', 'batch'] },
      { eventName: ['MODIFY'], itemType: ['job-life', 'batch'], flag: 'cancel_pending' },
      // The end of a job or batch that others wait for.
      { eventName: ['MODIFY'], itemType: ['job', 'batch'], flag: 'awaited' },
      { eventName: ['MODIFY'], itemType: 'job-life', flag: 'released' },
      { eventName: ['MODIFY'], itemType: 'batch', flag: 'limited' },
    ],
    publishes: true,
    takenUpBy: 'track-jobs',
  },
  'publish-events': {
    file: 'streams/publish-events',
    filters: [
      {
        eventName: ['INSERT', 'MODIFY'],
        itemType: [
          'job',
          'quota',
          'quota-request',
          'project',
          'budget',
          'login',
          'claimed-login',
          'system-maintenance',
        ],
      },
      { eventName: ['MODIFY'], itemType: 'batch' },
      { eventName: ['INSERT'], itemType: 'act', kind: 'quota-removed' },
      // Settlements contain everything that reports count about an ended job.
      { eventName: ['INSERT'], itemType: 'ledger-line', kind: 'settle' },
    ],
    publishes: true,
  },
} as const satisfies Readonly<Record<string, StreamReader>>;
