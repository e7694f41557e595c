import type { Input } from '../calls/call.ts';
import { type Answer, parseObject, send } from '../calls/send.ts';
import type { Settings } from '../calls/settings.ts';
import type { Batch, BatchEstimate, Estimate, Job } from '../generated/operations.ts';
import { renameOld } from './old-names.ts';
import {
  type BatchSubmission,
  type Made,
  toBlob,
  writeSubmissionHeaders,
  writeSubmissionPath,
} from './submission.ts';
import { upload } from './upload.ts';

/** Larger inputs do not fit into a request. */
export const mostInBody = 4_500_000;

/** Submits a job or a batch. */
export async function submit<Thing extends Job | Batch>(
  settings: Settings,
  made: Made,
  given: BatchSubmission,
): Promise<Thing> {
  const submission = renameOld(given);
  const input = await toBlob(submission.input);
  const { idempotencyKey = crypto.randomUUID(), onProgress } = submission;
  const answer = await post(settings, made, submission, input, {
    'idempotency-key': idempotencyKey,
    ...(isLarge(input) && { 'upload-id': await upload(settings, submission, input) }),
  });
  if (!isLarge(input)) onProgress?.(input.size, input.size);
  return parseObject<Thing>(answer, 'init_date');
}

/**
 * Estimates what a job or a batch would hold. An input that is too large for one request is not
 * sent, and its space is not counted. A table must be in one that is sent.
 */
export async function estimate<Price extends Estimate | BatchEstimate>(
  settings: Settings,
  made: Made,
  given: BatchSubmission,
): Promise<Price> {
  const submission = renameOld(given);
  const input = await toBlob(submission.input);
  const answer = await post(settings, made, submission, input, {}, { dry_run: true });
  return parseObject<Price>(answer, 'held');
}

async function post(
  settings: Settings,
  made: Made,
  submission: BatchSubmission,
  input: Blob,
  headers: Readonly<Record<string, string>>,
  query: Input = {},
): Promise<Answer> {
  const body = isLarge(input) || input.size === 0 ? undefined : input;
  return send(settings, {
    method: 'POST',
    path: writeSubmissionPath(made, submission, query),
    headers: {
      ...writeSubmissionHeaders(submission),
      ...(body && { 'content-type': 'application/zip' }),
      ...headers,
    },
    body,
    signal: submission.signal,
    repeatable: true,
  });
}

/** Sends an input that is too large for one request to the storage first. */
function isLarge({ size }: Blob): boolean {
  return size > mostInBody;
}
