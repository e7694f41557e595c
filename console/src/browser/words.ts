import { createPhrase } from '#client/src/words/language.ts';

export const browser = {
  home: 'Home',
  jobs: 'Jobs',
  job: 'Job',
  batches: 'Batches',
  batch: 'Batch',
  submit: 'Submit a job',
  quotas: 'Quotas',
  ledger: 'Ledger of {project}',
  folder: 'Folder of {project}',
  requests: 'Requests',
  projects: 'Projects',
  notifications: 'Notifications',
  webhooks: 'Webhooks',
  webhook: 'Webhook',
  missing: 'Page not found',

  admin: 'Administration',
  people: 'People',
  grants: 'Grants',
  reports: 'Reports',
  audit: 'Audit',
  systems: 'Systems',

  tooManyFiles: 'There are {files} files; a zip may have {most}. Pack some of them together.',
  tooManyBytes: 'There are more than 4 GB, which a browser cannot pack. Use the command slipway.',
} as const;

export const phrase = createPhrase('browser', browser);
