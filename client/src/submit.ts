import type { Job, Upload } from './generated/operations.ts';
import { type Progress, putBlob } from './put-blob.ts';
import { send } from './send.ts';
import type { Settings } from './settings.ts';

export interface Submission {
  readonly hpc: string;
  /** Without it, the default project of the system. */
  readonly project_name?: string;
  /** What to run: a `command` or a `tool`, as the system takes it. */
  readonly command?: string;
  readonly tool?: string;
  readonly nodes: number;
  /** On each node. */
  readonly cores: number;
  /** Hours. */
  readonly runtime: number;
  readonly title?: string;
  /** Other fields that the system knows. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The zip; none is a job without input. */
  readonly input?: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly filename?: string;
  /** One is made where none is given: the same key never makes two jobs. */
  readonly idempotencyKey?: string;
  readonly onProgress?: Progress;
  readonly signal?: AbortSignal;
}

/** What one request carries; what is larger is sent to the storage first. */
const mostInBody = 4_500_000;

export async function submit(settings: Settings, submission: Submission): Promise<Job> {
  const input = await toBlob(submission.input);
  const sent =
    input.size > mostInBody ? await upload(settings, submission, input) : { body: input };
  const answer = await send(settings, {
    method: 'POST',
    path: writeSubmissionPath(submission),
    headers: {
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(nameOf(submission))}`,
      payload: writePayload(submission),
      'idempotency-key': submission.idempotencyKey ?? crypto.randomUUID(),
      ...('uploadId' in sent
        ? { 'upload-id': sent.uploadId }
        : input.size > 0 && { 'content-type': 'application/zip' }),
    },
    ...('body' in sent && input.size > 0 && { body: sent.body }),
    signal: submission.signal,
  });
  if ('body' in sent) submission.onProgress?.(input.size, input.size);
  return JSON.parse(answer.body);
}

function writeSubmissionPath({ hpc, project_name: project }: Submission): string {
  const project_ = project === undefined ? '' : `${encodeURIComponent(project)}/`;
  return `/jobs/${encodeURIComponent(hpc)}/${project_}`;
}

function nameOf({ filename = 'input.zip' }: Submission): string {
  return filename;
}

/** Headers hold Latin letters alone; JSON has a way to write all others. */
function writePayload(submission: Submission): string {
  const { command, tool, nodes, cores, runtime, title, fields } = submission;
  const payload = JSON.stringify({
    command,
    tool,
    node_number: nodes,
    core_number: cores,
    runtime,
    title,
    ...fields,
  });
  return payload.replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

async function toBlob(input: Submission['input']): Promise<Blob> {
  if (input === undefined) return new Blob();
  if (input instanceof Blob) return input;
  return input instanceof Uint8Array ? new Blob([input]) : new Response(input).blob();
}

async function upload(settings: Settings, submission: Submission, input: Blob) {
  const answer = await send(settings, {
    method: 'POST',
    path: '/uploads/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ filename: nameOf(submission), length: input.size }),
    signal: submission.signal,
  });
  const { upload_id: uploadId, address, headers }: Upload = JSON.parse(answer.body);
  await putBlob(settings, { address, headers, blob: input, ...submission });
  return { uploadId };
}
