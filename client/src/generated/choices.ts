// Made by `npm run client:generate` from docs/openapi.json. Do not edit.

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
  'budget-changed',
  'leaders-changed',
] as const;

export const eventNames = [
  'job.submitted',
  'job.stage-changed',
  'job.ended',
  'batch.progress',
  'batch.ended',
  'quota.low',
  'quota.expiring',
  'quota.renewing',
  'quota.renewed',
  'request.opened',
  'request.approved',
  'request.declined',
] as const;

export const topicNames = ['job.ended', 'batch.ended', 'quota.low', 'request.decided'] as const;

export const digestNames = ['when-many', 'daily'] as const;
