import { send } from '../calls/send.ts';
import type { Settings } from '../calls/settings.ts';
import type { Estimate, Job, Upload } from '../generated/operations.ts';
import { putBlob } from './put-blob.ts';
import {
  mostInBody,
  nameOf,
  type Submission,
  toBlob,
  writeSubmissionHeaders,
  writeSubmissionPath,
} from './submission.ts';

export async function submit(settings: Settings, submission: Submission): Promise<Job> {
  const input = await toBlob(submission.input);
  const large = input.size > mostInBody;
  const body = large || input.size === 0 ? undefined : input;
  const { idempotencyKey = crypto.randomUUID(), onProgress, signal } = submission;
  const answer = await send(settings, {
    method: 'POST',
    path: writeSubmissionPath(submission),
    headers: {
      ...writeSubmissionHeaders(submission),
      ...typeOf(body),
      'idempotency-key': idempotencyKey,
      ...(large && { 'upload-id': await upload(settings, submission, input) }),
    },
    body,
    signal,
    repeatable: true,
  });
  if (!large) onProgress?.(input.size, input.size);
  return JSON.parse(answer.body);
}

/**
 * What a submission would hold. An input that is too large for one request is not sent, and its
 * space is not in the answer.
 */
export async function estimate(settings: Settings, submission: Submission): Promise<Estimate> {
  const input = await toBlob(submission.input);
  const body = input.size > mostInBody || input.size === 0 ? undefined : input;
  const answer = await send(settings, {
    method: 'POST',
    path: `${writeSubmissionPath(submission)}?dry_run=true`,
    headers: { ...writeSubmissionHeaders(submission), ...typeOf(body) },
    body,
    signal: submission.signal,
    repeatable: true,
  });
  return JSON.parse(answer.body);
}

/** None is sent for a job without input, nor for one whose input is in the storage. */
function typeOf(body: Blob | undefined) {
  return body && { 'content-type': 'application/zip' };
}

/** An upload that no job begins with is forgotten, so asking twice does no harm. */
async function upload(settings: Settings, submission: Submission, blob: Blob): Promise<string> {
  const { onProgress, signal } = submission;
  const answer = await send(settings, {
    method: 'POST',
    path: '/uploads/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ filename: nameOf(submission), length: blob.size }),
    signal,
    repeatable: true,
  });
  const { upload_id: id, address, headers }: Upload = JSON.parse(answer.body);
  await putBlob(settings, { address, headers, blob, onProgress, signal });
  return id;
}
