import { writeShortId } from '../../format/write-short-id.ts';
import { type Job, placeOf, type Slipway } from '../../index.ts';
import { findJob } from '../session/find.ts';
import { confirm, createCommand, type Open, type Session } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { cleanText } from '../terminal/text.ts';

export function createCancel(open: Open) {
  return createCommand('cancel', 'cancel jobs and return unused time', 'slipway cancel AF17')
    .argument('<jobs...>', 'job ids, or the start of each')
    .action(async (wanted, _, command) => {
      const session = open(command);
      const jobs = await findAll(session.client, wanted);
      if (!(await confirmLoss(session, jobs))) return;
      for (const job of jobs) await cancelOne(session, job);
    });
}

export function createRemove(open: Open) {
  return createCommand('rm', 'delete ended jobs and their files', 'slipway rm AF17 0D3C')
    .argument('<jobs...>', 'job ids, or the start of each')
    .option('-y, --yes', 'skip the question')
    .action(async (wanted, { yes }, command) => {
      const session = open(command);
      const { client } = session;
      const jobs = await findAll(client, wanted);
      const active = jobs.find((job) => !job.terminal_stage);
      if (active) {
        const id = writeShortId(active.job_id);
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

const notYet = 'not deleted yet: its system has not reported how long it ran';

/** Names each job, because the start of an id is easily mistyped. */
function askAbout(jobs: readonly Job[]): string {
  const names = jobs.map(
    ({ job_id: id, title }) => `${writeShortId(id)} ${cleanText(title || '(no title)')}`,
  );
  return `Delete ${names.join(', ')}? This removes the files for good.`;
}

/** Finds all jobs before anything is done. */
function findAll(client: Slipway, wanted: readonly string[]): Promise<Job[]> {
  return Promise.all(wanted.map((id) => findJob(client, id)));
}

/** Asks first if a system keeps nothing of cancelled jobs. */
async function confirmLoss(session: Session, jobs: readonly Job[]): Promise<boolean> {
  const { client, screen } = session;
  const active = jobs.filter((job) => !job.terminal_stage);
  if (!screen.isLive || active.length === 0) return true;
  const systems = await client.listSystems();
  const losing = systems.filter(
    ({ project_hpc, cancel_keeps_output }) =>
      !cancel_keeps_output && active.some((job) => job.project_hpc === project_hpc),
  );
  if (losing.length === 0) return true;
  const names = losing.map(({ name }) => name).join(' and ');
  screen.tell(
    `${names} ${losing.length === 1 ? 'keeps' : 'keep'} nothing of a cancelled job, so its output will be lost.`,
  );
  if (await confirm(session, 'Cancel it?')) return true;
  screen.tell('Nothing was cancelled.');
  return false;
}

/** Leaves a job alone if it has ended meanwhile. */
async function cancelOne(session: Session, job: Job): Promise<void> {
  const now = job.terminal_stage
    ? job
    : await session.client.deleteJob({ ...placeOf(job), only: 'cancel' });
  const isCancelled = !job.terminal_stage && now.stage === 'CANCELED';
  tell(session, now, isCancelled ? 'cancelled' : `had ended already: ${now.stage}`);
}

function tell({ print }: Session, job: Job, words: string): void {
  print(job, `${writeShortId(job.job_id)}  ${cleanText(job.title || '(no title)')}  ${words}`);
}
