/** A function that is told of changes of the table, in their order, at least once. */
export interface StreamReader {
  /** The file under functions/ that serves it, without its ending. */
  readonly file: string;
  /** Patterns of changes, as an event source filters them: it is told of what fits one of them. */
  readonly filters: readonly StreamFilter[];
  /** Whether it sends events to the bus. */
  readonly publishes?: boolean;
}

export interface StreamFilter {
  readonly eventName: readonly ('INSERT' | 'MODIFY')[];
  /** The `type` of the item as it is after the change. */
  readonly itemType: string;
  /** Only where this attribute of it is true. */
  readonly flag?: string;
  /** Only where its `kind` is this. */
  readonly kind?: string;
}

/** The one list of what the table's stream calls: infra, the laptop edition and the tests read it. */
export const streams = {
  'dispatch-jobs': {
    file: 'streams/dispatch-jobs',
    // A new job, and one that was cancelled: both wait for nobody but us.
    filters: [
      { eventName: ['INSERT'], itemType: 'job-life' },
      { eventName: ['MODIFY'], itemType: 'job-life', flag: 'cancel_pending' },
    ],
    publishes: true,
  },
  'publish-events': {
    file: 'streams/publish-events',
    filters: [
      { eventName: ['INSERT', 'MODIFY'], itemType: 'job' },
      { eventName: ['MODIFY'], itemType: 'quota' },
      { eventName: ['INSERT', 'MODIFY'], itemType: 'quota-request' },
      // The end of a job, with all that reports count of it.
      { eventName: ['INSERT'], itemType: 'ledger-line', kind: 'settle' },
    ],
    publishes: true,
  },
} as const satisfies Readonly<Record<string, StreamReader>>;
