import { createCommand, type Open } from '../session/session.ts';
import { phrase } from '../words/phrase.ts';
import { createAccounts } from './accounts.ts';
import { createCorrect } from './change-quota.ts';
import { createGrant } from './grant.ts';
import { createAllJobs, createAnyJob, createCancelAny, createRemoveAny } from './jobs.ts';
import { createMaintenance, createPause, createResume } from './maintenance.ts';
import { createErase, createExport } from './person.ts';
import { createProjects } from './projects.ts';
import { createAllQuotas, createExtend } from './quotas.ts';
import { createAudit, createReport, createSystems } from './records.ts';
import { createRemoveQuota } from './remove.ts';
import { createRequestsOfAll } from './requests.ts';
import { createBan, createUnban, createUsers } from './users.ts';

const rooms = () =>
  [
    [
      phrase('shared.groupQuotas'),
      [createGrant, createCorrect, createExtend, createRemoveQuota, createAllQuotas],
    ],
    [
      phrase('admin.groupUsers'),
      [
        createUsers,
        createBan,
        createUnban,
        createAccounts,
        createRequestsOfAll,
        createExport,
        createErase,
      ],
    ],
    [phrase('shared.groupJobs'), [createAllJobs, createAnyJob, createCancelAny, createRemoveAny]],
    [phrase('admin.groupRecords'), [createAudit, createReport, createSystems]],
    [phrase('admin.groupProjects'), [createProjects]],
    [phrase('admin.groupSystems'), [createMaintenance, createPause, createResume]],
  ] as const;

export function createAdmin(open: Open) {
  const admin = createCommand('admin', phrase('admin.manageQuotas')).examples(
    'slipway login --local --admin --profile admin',
    'slipway admin grant 306328 proj_hpc_one_01 500 --until "31 March" --reason "a course in spring"',
  );
  for (const [heading, makers] of rooms()) {
    admin.commandsGroup(heading);
    for (const make of makers) admin.addCommand(make(open));
  }
  return admin;
}
