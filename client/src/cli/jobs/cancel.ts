import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { writeCount } from '../../format/numbers/write-number.ts';
import { joinWords } from '../../format/sentences/join-words.ts';
import { type Batch, type Job, placeOf, type Slipway } from '../../index.ts';
import { writeCounts } from '../session/batch-view.ts';
import { findWork, idOf, isBatch } from '../session/find.ts';
import { describeAccount } from '../session/job-view.ts';
import { confirm, createCommand, type Open, type Session } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { cleanText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

export function createCancel(open: Open) {
  return createCommand('cancel', phrase('jobs.cancelJobsOrBatches'))
    .examples('slipway cancel AF17')
    .argument('<ids...>', phrase('jobs.jobOrBatchIds'))
    .action(async (wanted, _, command) => {
      const session = open(command);
      const all = await findAll(session.client, wanted);
      if (!(await confirmLoss(session, all))) return;
      for (const work of all) {
        await (isBatch(work) ? cancelBatch(session, work) : cancelOne(session, work));
      }
    });
}

export function createRemove(open: Open) {
  return createCommand('rm', phrase('jobs.deleteEndedJobsOrBatches'))
    .examples('slipway rm AF17 0D3C')
    .argument('<ids...>', phrase('jobs.jobOrBatchIds'))
    .option('-y, --yes', phrase('shared.skipTheQuestion'))
    .action(async (wanted, { yes }, command) => {
      const session = open(command);
      const all = await findAll(session.client, wanted);
      const active = all.find((work) => !hasEnded(work));
      if (active) {
        const id = writeShortId(idOf(active));
        throw new CannotDo(phrase('shared.hasNotEnded', { id }), {
          outcome: outcome.refused,
          next: phrase('jobs.cancelItFirst', { id }),
        });
      }
      if (!(await confirm(session, askAbout(all), yes))) {
        return session.screen.tell(phrase('shared.nothingWasDeleted'));
      }
      for (const work of all) await removeOne(session, work);
    });
}

async function removeOne(session: Session, work: Job | Batch): Promise<void> {
  const { client } = session;
  if (isBatch(work)) {
    const deleted = await client.deleteBatch({ ...placeOf(work), only: 'delete' });
    return tell(session, deleted, phrase('jobs.deletedWithItsJobs'));
  }
  const deleted = await client.deleteJob({ ...placeOf(work), only: 'delete' });
  tell(
    session,
    deleted,
    deleted.stage === 'DELETED' ? phrase('jobs.deleted') : phrase('jobs.notDeletedYet'),
  );
}

function hasEnded(work: Job | Batch): boolean {
  return isBatch(work) ? work.end_date !== null : work.terminal_stage;
}

/** Names each, because the start of an id is easily mistyped. */
function askAbout(all: readonly (Job | Batch)[]): string {
  const names = all.map((work) => {
    const name = `${writeShortId(idOf(work))} ${cleanText(work.title || phrase('shared.noTitle'))}`;
    return isBatch(work)
      ? phrase('jobs.batchWithJobs', { name, jobs: writeCount(work.count, 'job') })
      : name;
  });
  return phrase('jobs.deleteThisRemovesTheFiles', { names: names.join(', ') });
}

/** Finds all jobs and batches before anything is done. */
function findAll(client: Slipway, wanted: readonly string[]): Promise<(Job | Batch)[]> {
  return Promise.all(wanted.map((id) => findWork(client, id)));
}

/** Asks first if a system keeps nothing of cancelled jobs. */
async function confirmLoss(session: Session, all: readonly (Job | Batch)[]): Promise<boolean> {
  const { client, screen } = session;
  const active = all.filter((work) => !hasEnded(work));
  if (!screen.isLive || active.length === 0) return true;
  const systems = await client.listSystems();
  const losing = systems.filter(
    ({ project_hpc, cancel_keeps_output }) =>
      !cancel_keeps_output && active.some((work) => work.project_hpc === project_hpc),
  );
  if (losing.length === 0) return true;
  const names = losing.map(({ name }) => name);
  screen.tell(phrase('jobs.keepsNothing', { count: losing.length, names: joinWords(names) }));
  if (await confirm(session, phrase('jobs.cancelIt'))) return true;
  screen.tell(phrase('jobs.nothingWasCancelled'));
  return false;
}

/** Leaves a job alone if it has ended meanwhile. */
async function cancelOne(session: Session, job: Job): Promise<void> {
  const now = job.terminal_stage
    ? job
    : await session.client.deleteJob({ ...placeOf(job), only: 'cancel' });
  const isCancelled = !job.terminal_stage && now.stage === 'CANCELED';
  if (!isCancelled) return tell(session, now, phrase('jobs.hadEndedAlready', { how: now.stage }));
  // The job is cancelled, whether its account can be read or not.
  const account = session.json ? [] : await describeAccount(session.client, now).catch(() => []);
  tell(session, now, [phrase('jobs.cancelled'), ...account].join('  '));
}

/** The jobs that have begun are cancelled in the background. */
async function cancelBatch(session: Session, batch: Batch): Promise<void> {
  if (hasEnded(batch))
    return tell(session, batch, phrase('jobs.hadEndedAlready', { how: writeCounts(batch) }));
  const now = await session.client.deleteBatch({ ...placeOf(batch), only: 'cancel' });
  tell(session, now, phrase('jobs.isBeingCancelled', { counts: writeCounts(now) }));
}

function tell({ print }: Session, work: Job | Batch, words: string): void {
  print(
    work,
    `${writeShortId(idOf(work))}  ${cleanText(work.title || phrase('shared.noTitle'))}  ${words}`,
  );
}
