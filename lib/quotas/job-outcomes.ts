/** How a job can end, for ledgers and reports. */
export const jobOutcomes = ['succeeded', 'failed', 'cancelled'] as const;

export type JobOutcome = (typeof jobOutcomes)[number];
