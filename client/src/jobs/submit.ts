import type { Input } from '../calls/call.ts';
import { insist, type TryResult } from '../calls/insist.ts';
import { limitCall, timeoutOf } from '../calls/limits.ts';
import type { FilePut, PutFile } from '../calls/put-file.ts';
import { type Answer, parseObject, send } from '../calls/send.ts';
import type { Settings } from '../calls/settings.ts';
import type { Batch, BatchEstimate, Estimate, Job, Upload } from '../generated/operations.ts';
import { ServiceUnreachable } from '../problems/errors.ts';
import {
  type BatchSubmission,
  type Made,
  nameOf,
  type Submission,
  toBlob,
  writeSubmissionHeaders,
  writeSubmissionPath,
} from './submission.ts';

/** Larger inputs do not fit into a request. */
export const mostInBody = 4_500_000;

/** Submits a job or a batch. */
export async function submit<Thing extends Job | Batch>(
  settings: Settings,
  made: Made,
  submission: BatchSubmission,
): Promise<Thing> {
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
  submission: BatchSubmission,
): Promise<Price> {
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
  const { upload_id: id, address, headers } = parseObject<Upload>(answer, 'address');
  await putBlob(settings, { address, headers, blob, onProgress, signal });
  return id;
}

/** The file is there already, because the answer to an earlier try was lost. */
const alreadyThere = 412;

/** Another try is still going on, or there are too many. */
const passing = [409, 429];

/** Sends a file to the storage, which accepts it once. Retries start from the beginning. */
async function putBlob(settings: Settings, put: FilePut): Promise<void> {
  const { blob, onProgress, signal } = put;
  // The platform sets this header itself, and browsers forbid pages to set it.
  const { 'Content-Length': _, ...headers } = put.headers;
  const timeout = timeoutOf(settings);
  const counted = { ...put, timeout, headers, onProgress: onProgress && onlyAhead(onProgress) };
  await insist(settings, signal, () => putOnce(settings, counted));
  onProgress?.(blob.size, blob.size);
}

/** Never reports less than before, although a retry starts from the beginning. */
function onlyAhead(onProgress: NonNullable<FilePut['onProgress']>): FilePut['onProgress'] {
  let most = 0;
  return (done, whole) => {
    if (done <= most) return;
    most = done;
    onProgress(done, whole);
  };
}

async function putOnce(settings: Settings, put: FilePut): Promise<TryResult<number>> {
  try {
    const status = await choosePut(settings)(put);
    if (status < 300 || status === alreadyThere) return { result: status };
    const failure = new ServiceUnreachable(`The storage answered ${status}`);
    return { failure, passing: status >= 500 || passing.includes(status) };
  } catch (cause) {
    put.signal?.throwIfAborted();
    const failure = new ServiceUnreachable('The storage did not answer', { cause });
    return { failure, passing: true };
  }
}

/** Uses XMLHttpRequest, because `fetch` reports no progress of an upload. */
function choosePut({ putFile, fetch: request = fetch }: Settings): PutFile {
  const usual: PutFile = (put) => putByFetch(request, put);
  return putFile ?? ('XMLHttpRequest' in globalThis ? putByXhr : usual);
}

/** Reports no progress, so the whole upload has a time limit. */
async function putByFetch(
  request: typeof fetch,
  { address, headers, blob, signal, timeout }: FilePut,
): Promise<number> {
  const limit = limitCall(timeoutOf({ timeout }, blob.size), signal);
  try {
    const { status } = await request(address, {
      method: 'PUT',
      headers,
      body: blob,
      signal: limit.signal,
    });
    return status;
  } finally {
    limit.end();
  }
}

function putByXhr(put: FilePut): Promise<number> {
  const { address, headers, blob, onProgress, signal } = put;
  const ms = timeoutOf(put);
  const limit = limitCall(ms, signal);
  return new Promise<number>((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('PUT', address);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => {
      limit.allow(ms);
      onProgress?.(loaded, total);
    };
    xhr.onload = () => resolve(xhr.status);
    xhr.onerror = xhr.onabort = () => reject(limit.signal.reason);
    limit.signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(blob);
  }).finally(limit.end);
}
