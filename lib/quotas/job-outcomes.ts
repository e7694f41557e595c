export const jobOutcomes = ['succeeded', 'failed', 'cancelled'] as const;

export type JobOutcome = (typeof jobOutcomes)[number];
