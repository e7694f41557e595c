import { reasonWords } from '../admin/act.ts';
import { showAllJobs } from '../admin/jobs.ts';
import { showReport, withReportOptions } from '../admin/records.ts';
import { approve, decline, showRequests, stateOption } from '../admin/requests.ts';
import { showLedger, withLedgerOptions } from '../quotas/quotas.ts';
import { withJobOptions } from '../session/job-view.ts';
import { readAmount, readEnd, readSpace, readUser } from '../session/options.ts';
import { createCommand, type Open } from '../session/session.ts';
import { namesOption } from '../session/user-names.ts';
import { phrase } from '../words/phrase.ts';
import { findLed, projectOption } from './find-led.ts';

export function createRequests(open: Open) {
  return createCommand('requests', phrase('project.listRequestsOfTheProject'))
    .examples('slipway project requests', 'slipway project requests --state declined')
    .option(...projectOption())
    .addOption(stateOption())
    .option('--csv', phrase('shared.printCsvInSecondsAndKilobytes'))
    .option(...namesOption())
    .action(async ({ project, ...options }, command) => {
      const session = open(command);
      await showRequests(session, options, await findLed(project)(session.client));
    });
}

export function createApprove(open: Open) {
  return createCommand('approve', phrase('project.approveTheRequest'))
    .examples(
      'slipway project approve 306330 --reason "as planned"',
      'slipway project approve 306330 200 --reason "200 for now"',
    )
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('[amount]', phrase('project.timeDefault'), readAmount)
    .option(...projectOption())
    .option('--space <size>', phrase('shared.spaceDefault'), readSpace)
    .option('--until <day>', phrase('project.lastDay'), readEnd)
    .option('--reason <text>', reasonWords())
    .action((user, amount, { project, ...options }, command) =>
      approve(open(command), user, { ...options, amount }, findLed(project)),
    );
}

export function createDecline(open: Open) {
  return createCommand('decline', phrase('project.declineTheRequest'))
    .examples('slipway project decline 306330 --reason "share with the others"')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .option(...projectOption())
    .option('--reason <text>', reasonWords())
    .action((user, { project, ...options }, command) =>
      decline(open(command), user, options, findLed(project)),
    );
}

export function createJobs(open: Open) {
  return withJobOptions(
    createCommand('jobs', phrase('project.listTheJobs')).examples(
      'slipway project jobs --active',
      'slipway project jobs --user 306330 --failed --since 7d',
    ),
  )
    .option(...projectOption())
    .option('--user <user>', phrase('shared.userNumber'), readUser)
    .option(...namesOption())
    .action(async ({ project, ...options }, command) => {
      const session = open(command);
      await showAllJobs(session, await findLed(project)(session.client), options);
    });
}

export function createReport(open: Open) {
  return withReportOptions(
    createCommand('report', phrase('project.reportWhatEndedJobs')).examples(
      'slipway project report',
      'slipway project report --user 306330',
      'slipway project report --by user,month --since 2026-01 --csv > usage.csv',
    ),
  )
    .option('--by <what>', phrase('project.groupByUser'), 'user')
    .option(...projectOption())
    .action(async ({ project, ...options }, command) => {
      const session = open(command);
      await showReport(session, await findLed(project)(session.client), options);
    });
}

export function createLedger(open: Open) {
  return withLedgerOptions(
    createCommand('ledger', phrase('project.listChangesOfTheBudget')).examples(
      'slipway project ledger',
      'slipway project ledger --user 306330 --since 30d',
    ),
  )
    .option(...projectOption())
    .option('--user <user>', phrase('project.numberOfAMember'), readUser)
    .action(async ({ project, user, ...options }, command) => {
      const session = open(command);
      const { client } = session;
      const place = await findLed(project)(client);
      await showLedger(session, place, options, (asked) =>
        user === undefined
          ? client.readBudgetLedger(asked)
          : client.readLedgerOfUser({ ...asked, user_id: user }),
      );
    });
}
