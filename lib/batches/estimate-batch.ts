import type { SubmissionContext } from '#lib/jobs/submit/accept-once.ts';
import { type EstimatedTerms, estimateTerms } from '#lib/jobs/submit/estimate-terms.ts';
import { type BatchSubmission, mostPreviewed, previewTexts } from './batch-submission.ts';
import { readRows } from './read-rows.ts';
import { noRows, parseRows } from './stored-rows.ts';

export interface BatchEstimate extends EstimatedTerms {
  readonly count: number;
  readonly preview: ReturnType<typeof previewTexts>;
}

/** Judges a batch by the same checks and rules as submitBatch. Writes nothing. */
export async function estimateBatch(
  context: SubmissionContext,
  submission: BatchSubmission,
  now = new Date(),
): Promise<BatchEstimate> {
  const { terms, checked } = await estimateTerms(context, submission, now, () =>
    readRows(context, submission, now),
  );
  const { count, table } = checked;
  const values = table === undefined ? noRows : parseRows(table, mostPreviewed);
  return { ...terms, count, preview: previewTexts(submission, values, count) };
}
