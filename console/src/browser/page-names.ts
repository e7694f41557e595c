import { phrase } from './words.ts';

/** What pages, and the rooms of the administrators' pages, are called. */
export const pageNames = {
  home: () => phrase('home'),
  jobs: () => phrase('jobs'),
  job: () => phrase('job'),
  batches: () => phrase('batches'),
  batch: () => phrase('batch'),
  submit: () => phrase('submit'),
  quotas: () => phrase('quotas'),
  requests: () => phrase('requests'),
  projects: () => phrase('projects'),
  notifications: () => phrase('notifications'),
  webhooks: () => phrase('webhooks'),
  webhook: () => phrase('webhook'),
  missing: () => phrase('missing'),
  ledger: (project: string) => phrase('ledger', { project }),
  folder: (project: string) => phrase('folder', { project }),
  admin: () => phrase('admin'),
  people: () => phrase('people'),
  grants: () => phrase('grants'),
  reports: () => phrase('reports'),
  audit: () => phrase('audit'),
  systems: () => phrase('systems'),
} as const;
