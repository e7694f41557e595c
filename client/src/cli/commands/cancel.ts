import { writeCount } from '../../format/write-number.ts';
import { writeShortId } from '../../format/write-short-id.ts';
import { type Batch, type Job, placeOf, type Slipway } from '../../index.ts';
import { writeCounts } from '../session/batch-view.ts';
import { findWork, isBatch } from '../session/find.ts';
import { confirm, createCommand, type Open, type Session } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { cleanText } from '../terminal/text.ts';

export function createCancel(open: Open) {
  return createCommand(
    'cancel',
    'cancel jobs or batches and return unused time',
    'slipway cancel AF17',
  )
    .argument('<ids...>', 'job or batch ids, or the start of each')
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
  return createCommand('rm', 'delete ended jobs or batches', 'slipway rm AF17 0D3C')
    .argument('<ids...>', 'job or batch ids, or the start of each')
    .option('-y, --yes', 'skip the question')
    .action(async (wanted, { yes }, command) => {
      const session = open(command);
      const all = await findAll(session.client, wanted);
      const active = all.find((work) => !hasEnded(work));
      if (active) {
        const id = writeShortId(idOf(active));
        throw new CannotDo(`${id} has not ended. Nothing was deleted.`, {
          outcome: outcome.refused,
          next: `Cancel it first: slipway cancel ${id}`,
        });
      }
      if (!(await confirm(session, askAbout(all), yes))) {
        return session.screen.tell('Nothing was deleted.');
      }
      for (const work of all) await removeOne(session, work);
    });
}

async function removeOne(session: Session, work: Job | Batch): Promise<void> {
  const { client } = session;
  if (isBatch(work)) {
    const deleted = await client.deleteBatch({ ...placeOf(work), only: 'delete' });
    return tell(session, deleted, 'deleted with its jobs, in the background');
  }
  const deleted = await client.deleteJob({ ...placeOf(work), only: 'delete' });
  tell(session, deleted, deleted.stage === 'DELETED' ? 'deleted' : notYet);
}

function hasEnded(work: Job | Batch): boolean {
  return isBatch(work) ? work.end_date !== null : work.terminal_stage;
}

function idOf(work: Job | Batch): string {
  return isBatch(work) ? work.batch_id : work.job_id;
}

const notYet = 'not deleted yet: its system has not reported how long it ran';

/** Names each, because the start of an id is easily mistyped. */
function askAbout(all: readonly (Job | Batch)[]): string {
  const names = all.map((work) => {
    const name = `${writeShortId(idOf(work))} ${cleanText(work.title || '(no title)')}`;
    return isBatch(work) ? `${name} with ${writeCount(work.count, 'job')}` : name;
  });
  return `Delete ${names.join(', ')}? This removes the files for good.`;
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

/** The jobs that have begun are cancelled in the background. */
async function cancelBatch(session: Session, batch: Batch): Promise<void> {
  if (hasEnded(batch)) return tell(session, batch, `had ended already: ${writeCounts(batch)}`);
  const now = await session.client.deleteBatch({ ...placeOf(batch), only: 'cancel' });
  tell(session, now, `is being cancelled: ${writeCounts(now)}`);
}

function tell({ print }: Session, work: Job | Batch, words: string): void {
  print(work, `${writeShortId(idOf(work))}  ${cleanText(work.title || '(no title)')}  ${words}`);
}
