import { german } from '#client/src/words/german/german.ts';
import { adminGrants } from './admin-grants.ts';
import { adminProjects } from './admin-projects.ts';
import { adminReports } from './admin-reports.ts';
import { adminRequests } from './admin-requests.ts';
import { batches } from './batches.ts';
import { home } from './home.ts';
import { job } from './job.ts';
import { jobs } from './jobs.ts';
import { parts } from './parts.ts';
import { quotas } from './quotas.ts';
import { shell } from './shell.ts';
import { submit } from './submit.ts';

export const language = {
  ...german,
  catalogues: {
    ...german.catalogues,
    adminGrants,
    adminProjects,
    adminReports,
    adminRequests,
    batches,
    home,
    job,
    jobs,
    parts,
    quotas,
    shell,
    submit,
  },
};
