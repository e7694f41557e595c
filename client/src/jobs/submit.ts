import { send } from '../calls/send.ts';
import type { Settings } from '../calls/settings.ts';
import type { Estimate, Job, Upload } from '../generated/operations.ts';
import { putBlob } from './put-blob.ts';
import {
  nameOf,
  type Submission,
  toBlob,
  writeSubmissionHeaders,
  writeSubmissionPath,
} from './submission.ts';

const mostInBody = 4_500_000;

export async function submit(settings: Settings, submission: Submission): Promise<Job> {
  const input = await toBlob(submission.input);
  const { idempotencyKey = crypto.randomUUID(), onProgress } = submission;
  const job = await post<Job>(settings, submission, input, {
    'idempotency-key': idempotencyKey,
    ...(isLarge(input) && { 'upload-id': await upload(settings, submission, input) }),
  });
  if (!isLarge(input)) onProgress?.(input.size, input.size);
  return job;
}

/**
 * Estimates what a submission would hold. An input that is too large for one request is not sent,
 * and its space is not counted.
 */
export async function estimate(settings: Settings, submission: Submission): Promise<Estimate> {
  return post(settings, submission, await toBlob(submission.input), {}, '?dry_run=true');
}

async function post<Answer>(
  settings: Settings,
  submission: Submission,
  input: Blob,
  headers: Readonly<Record<string, string>>,
  query = '',
): Promise<Answer> {
  const body = isLarge(input) || input.size === 0 ? undefined : input;
  const answer = await send(settings, {
    method: 'POST',
    path: `${writeSubmissionPath(submission)}${query}`,
    headers: {
      ...writeSubmissionHeaders(submission),
      ...(body && { 'content-type': 'application/zip' }),
      ...headers,
    },
    body,
    signal: submission.signal,
    repeatable: true,
  });
  return JSON.parse(answer.body);
}

/** Sends an input that is too large for one request to the storage first. */
function isLarge({ size }: Blob): boolean {
  return size > mostInBody;
}

/** Unused uploads are removed, so a retry does no harm. */
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
