import { type StageView, viewMeaning } from '../../format/jobs/describe-stage.ts';
import { writeNumber } from '../../format/numbers/write-number.ts';
import type { Batch } from '../../index.ts';
import { term } from '../../words/terms.ts';
import { writeBar } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';

export function countEnded({ counts: { done, failed, cancelled } }: Batch): number {
  return done + failed + cancelled;
}

/** Describes a batch as if it were one job: what failed decides, then what was cancelled. */
export function viewBatch({ counts, end_date: end }: Batch): StageView {
  if (end === null) return viewMeaning(counts.running > 0 ? 'running' : 'waiting');
  if (counts.failed > 0) return viewMeaning('failed');
  return viewMeaning(counts.cancelled > 0 ? 'cancelled' : 'done');
}

/** In the order in which they matter. */
const countNames = ['failed', 'cancelled', 'running', 'waiting', 'done'] as const;

/** Writes `2 failed, 3 running, 41 waiting, 54 done`, and leaves out what is zero. */
export function writeCounts({ counts }: Batch): string {
  return countNames
    .filter((name) => counts[name] > 0)
    .map((name) => `${writeNumber(counts[name])} ${term(name)}`)
    .join(', ');
}

/** Writes `━━━━━───── 56 of 100`. */
export function writeShare(batch: Batch, columns = 18): string {
  const ended = countEnded(batch);
  const { count: whole } = batch;
  return phrase('session.endedOfJobs', {
    bar: writeBar(ended / whole, columns),
    ended: writeNumber(ended),
    whole: writeNumber(whole),
  });
}
