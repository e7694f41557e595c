import { Command } from '@commander-js/extra-typings';
import { writeShortId } from '../../format/write-short-id.ts';
import { type Job, placeOf, type Slipway } from '../../index.ts';
import { findJob } from '../session/find.ts';
import { confirm, type Open, type Session, writeExamples } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { cleanText } from '../terminal/text.ts';

export function createCancel(open: Open) {
  return new Command('cancel')
    .description('cancel jobs; what they have not used goes back to the quota')
    .argument('<jobs...>', 'their ids, or the beginnings of them')
    .addHelpText('after', writeExamples('slipway cancel AF17'))
    .action(async (wanted, _, command) => {
      const session = open(command);
      const client = session.connect();
      const jobs = await findAll(client, wanted);
      if (!(await confirmLoss(session, client, jobs))) return;
      for (const job of jobs) await cancelOne(session, client, job);
    });
}

export function createRemove(open: Open) {
  return new Command('rm')
    .description('delete ended jobs, their files and the space they take')
    .argument('<jobs...>', 'their ids, or the beginnings of them')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', writeExamples('slipway rm AF17 0D3C'))
    .action(async (wanted, { yes }, command) => {
      const session = open(command);
      const client = session.connect();
      const jobs = await findAll(client, wanted);
      const living = jobs.find((job) => !job.terminal_stage);
      if (living) {
        const id = writeShortId(living.job_id);
        throw new CannotDo(`${id} has not ended. Nothing was deleted.`, {
          outcome: outcome.refused,
          next: `Cancel it first: slipway cancel ${id}`,
        });
      }
      if (!(await confirm(session, askAbout(jobs), yes))) {
        return session.screen.tell('Nothing was deleted.');
      }
      for (const job of jobs) {
        const deleted = await client.deleteJob({ ...placeOf(job), only: 'delete' });
        tell(session, deleted, deleted.stage === 'DELETED' ? 'deleted' : notYet);
      }
    });
}

const notYet = 'not deleted yet: its system has still to say how long it ran';

/** Names each job, because the beginning of an id is quickly mistyped. */
function askAbout(jobs: readonly Job[]): string {
  const names = jobs.map(
    ({ job_id: id, title }) => `${writeShortId(id)} ${cleanText(title || '(no title)')}`,
  );
  return `Delete ${names.join(', ')}? The files are removed for good.`;
}

/** All are found before anything is done. */
function findAll(client: Slipway, wanted: readonly string[]): Promise<Job[]> {
  return Promise.all(wanted.map((id) => findJob(client, id)));
}

/** Some systems keep nothing of a job that is cancelled: whoever looks at its output is asked first. */
async function confirmLoss(
  session: Session,
  client: Slipway,
  jobs: readonly Job[],
): Promise<boolean> {
  const { screen } = session;
  const living = jobs.filter((job) => !job.terminal_stage);
  if (!screen.isLive || living.length === 0) return true;
  const systems = await client.listSystems();
  const losing = systems.filter(
    ({ project_hpc, cancel_keeps_output }) =>
      !cancel_keeps_output && living.some((job) => job.project_hpc === project_hpc),
  );
  if (losing.length === 0) return true;
  const names = losing.map(({ name }) => name).join(' and ');
  screen.tell(
    `${names} ${losing.length === 1 ? 'keeps' : 'keep'} nothing of a cancelled job: what it has written is lost.`,
  );
  if (await confirm(session, 'Cancel it?')) return true;
  screen.tell('Nothing was cancelled.');
  return false;
}

/** A job that has ended meanwhile stays as it is. */
async function cancelOne(session: Session, client: Slipway, job: Job): Promise<void> {
  const now = job.terminal_stage
    ? job
    : await client.deleteJob({ ...placeOf(job), only: 'cancel' });
  const isCancelled = !job.terminal_stage && now.stage === 'CANCELED';
  tell(session, now, isCancelled ? 'cancelled' : `has ended before: ${now.stage}`);
}

function tell({ screen, json }: Session, job: Job, words: string): void {
  if (json) screen.say(JSON.stringify(job, null, 2));
  else screen.say(`${writeShortId(job.job_id)}  ${cleanText(job.title || '(no title)')}  ${words}`);
}
