import { writeNodeTime } from '../../format/amounts/amounts.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import type { Batch } from '../../index.ts';
import { countEnded, viewBatch, writeCounts, writeShare } from '../session/batch-view.ts';
import { readCharging } from '../session/find.ts';
import { writeStage } from '../session/job-view.ts';
import type { Session } from '../session/session.ts';
import { outcome } from '../terminal/outcome.ts';
import { cleanText, colourOf, cutText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

/** Waits until all jobs of a batch have ended, or until the first Ctrl-C. The jobs go on. */
export async function waitForBatch(session: Session, batch: Batch): Promise<Batch> {
  const { client, screen, interrupt } = session;
  const show = showCounts(session);
  const id = writeShortId(batch.batch_id);
  try {
    show(batch);
    const ended = await client.waitFor(batch, { onChange: show, signal: interrupt });
    screen.endProgress();
    await reportEnd(session, ended);
    return ended;
  } catch (error) {
    screen.endProgress();
    if (interrupt.aborted) {
      screen.tell(phrase('jobs.continuesWithout', { id }), phrase('jobs.keepWaiting', { id }));
    }
    throw error;
  }
}

/** Shows one bar on a terminal. Elsewhere writes a line at the start and at every tenth. */
function showCounts({ screen }: Session): (batch: Batch) => void {
  let told = -1;
  return (batch) => {
    const line = writeLine(batch);
    if (screen.isLive) return screen.progress(cutText(line, Math.min(screen.width, 200) - 1));
    const tenth = Math.floor((10 * countEnded(batch)) / batch.count);
    if (tenth > told && batch.end_date === null) screen.tell(line);
    told = Math.max(told, tenth);
  };
}

function writeLine(batch: Batch): string {
  const title = batch.title || phrase('shared.noTitle');
  const parts = [writeShare(batch), writeCounts(batch), writeShortId(batch.batch_id), title];
  return cleanText(parts.join('  '));
}

async function reportEnd(session: Session, batch: Batch): Promise<void> {
  const { client, screen } = session;
  const view = viewBatch(batch);
  if (view.meaning !== 'done') session.end(outcome.jobFailed);
  if (session.json) return session.print(batch);
  const id = writeShortId(batch.batch_id);
  const charging = (await readCharging(client))(batch.project_hpc);
  screen.say(
    [
      screen.paint(colourOf[view.meaning], writeStage(view)),
      id,
      cleanText(batch.title || phrase('shared.noTitle')),
      writeCounts(batch),
      phrase('jobs.usedTime', { time: writeNodeTime(batch.used.time, charging) }),
    ].join('  '),
  );
  if (batch.counts.failed > 0) {
    screen.tell(phrase('jobs.whatFailed', { id }));
  }
}
