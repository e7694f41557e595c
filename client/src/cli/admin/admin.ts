import { Command } from '@commander-js/extra-typings';
import type { Open } from '../session/open.ts';
import { writeExamples } from '../session/write-examples.ts';
import { createCancelAny, createRemoveAny } from './jobs/cancel.ts';
import { createAnyJob } from './jobs/job.ts';
import { createAllJobs } from './jobs/jobs.ts';
import { createProjects } from './projects/projects.ts';
import { createCorrect } from './quotas/correct.ts';
import { createGrant } from './quotas/grant.ts';
import { createProlong } from './quotas/prolong.ts';
import { createAllQuotas } from './quotas/quotas.ts';
import { createRemoveQuota } from './quotas/remove.ts';
import { createAudit } from './records/audit.ts';
import { createReport } from './records/report.ts';
import { createRequestsOfAll } from './requests/requests.ts';
import { createAccounts } from './users/accounts.ts';
import { createBan, createUnban } from './users/ban.ts';
import { createUsers } from './users/users.ts';

const rooms = {
  'Quotas:': [createGrant, createCorrect, createProlong, createRemoveQuota, createAllQuotas],
  'Users:': [createUsers, createBan, createUnban, createAccounts, createRequestsOfAll],
  'Jobs:': [createAllJobs, createAnyJob, createCancelAny, createRemoveAny],
  'Records:': [createAudit, createReport],
  'Projects:': [createProjects],
} as const;

export function createAdmin(open: Open) {
  const admin = new Command('admin')
    .description("grants, bans, everybody's jobs, the audit, reports")
    .addHelpText(
      'after',
      writeExamples(
        'slipway login --local --admin --profile admin',
        'slipway admin grant 306328 proj_hpc_one_01 500 --until "31 March" --reason "a course in spring"',
      ),
    );
  for (const [heading, makers] of Object.entries(rooms)) {
    admin.commandsGroup(heading);
    for (const make of makers) admin.addCommand(make(open));
  }
  return admin;
}
