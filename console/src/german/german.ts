import { german } from '#client/src/words/german/german.ts';
import { admin } from './admin.ts';
import { adminFrame } from './admin-frame.ts';
import { adminGrants } from './admin-grants.ts';
import { adminParts } from './admin-parts.ts';
import { adminPeople } from './admin-people.ts';
import { adminProjects } from './admin-projects.ts';
import { adminReports } from './admin-reports.ts';
import { adminRequests } from './admin-requests.ts';
import { adminStatement } from './admin-statement.ts';
import { batches } from './batches.ts';
import { browser } from './browser.ts';
import { connection } from './connection.ts';
import { home } from './home.ts';
import { job } from './job.ts';
import { jobs } from './jobs.ts';
import { live } from './live.ts';
import { notifications } from './notifications.ts';
import { parts } from './parts.ts';
import { quotas } from './quotas.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { submit } from './submit.ts';
import { webhooks } from './webhooks.ts';

export const language = {
  ...german,
  catalogues: {
    ...german.catalogues,
    adminFrame,
    adminGrants,
    adminParts,
    adminPeople,
    adminProjects,
    adminReports,
    adminRequests,
    adminStatement,
    admin,
    batches,
    browser,
    connection,
    home,
    job,
    jobs,
    live,
    notifications,
    parts,
    quotas,
    shell,
    signIn,
    submit,
    webhooks,
  },
};
