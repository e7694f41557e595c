/** The headings of docs/runbook.md. Every alarm names one, and a test holds both lists together. */
export const runbookHeadings = {
  serverErrors: 'Server errors',
  releaseSentBack: 'Release sent back',
  slowAnswers: 'Slow answers',
  functionErrors: 'Function errors',
  functionThrottles: 'Function throttles',
  tableThrottles: 'Table throttles',
  tableErrors: 'Table errors',
  partitionFills: 'Partition fills up',
  jobsWaiting: 'Jobs wait too long',
  scheduleStopped: 'Schedule does not run',
  streamBehind: 'Stream falls behind',
  damagedRecords: 'Damaged records',
  deadLetters: 'Dead letters',
  busFailed: 'Bus cannot deliver',
  accountDrift: 'Accounts do not add up',
} as const;

export type RunbookHeading = (typeof runbookHeadings)[keyof typeof runbookHeadings];
