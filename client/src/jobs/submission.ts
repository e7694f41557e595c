import type { Progress } from '../calls/put-file.ts';
import type { Job } from '../generated/operations.ts';

export interface Submission {
  readonly hpc: string;
  /** Without it, the default project of the system. */
  readonly project_name?: string | undefined;
  /** What to run: a `command` or a `tool`, as the system takes it. */
  readonly command?: string | undefined;
  readonly tool?: string | undefined;
  readonly nodes: number;
  /** On each node. */
  readonly cores: number;
  /** Hours. */
  readonly runtime: number;
  readonly title?: string | undefined;
  /** Other fields that the system knows. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** The zip; none is a job without input. */
  readonly input?: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
  /** What the zip is called, `input.zip` unless it is said. */
  readonly filename?: string | undefined;
  /** One is made where none is given: the same key never makes two jobs. */
  readonly idempotencyKey?: string | undefined;
  /** Told how far a large input has been sent. */
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

export function nameOf({ filename = 'input.zip' }: Submission): string {
  return filename;
}

export function writeSubmissionPath({ hpc, project_name: project }: Submission): string {
  const below = project === undefined ? '' : `${encodeURIComponent(project)}/`;
  return `/jobs/${encodeURIComponent(hpc)}/${below}`;
}

export function writeSubmissionHeaders(submission: Submission): Record<string, string> {
  return {
    'content-disposition': `attachment; filename*=UTF-8''${encodeName(nameOf(submission))}`,
    payload: writePayload(submission),
  };
}

/** RFC 8187, which takes less than addresses do. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, writeEscape('%', 2));
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
  return payload.replaceAll(/[^\x20-\x7e]/g, writeEscape('\\u', 4));
}

function writeEscape(mark: string, digits: number) {
  return (character: string) =>
    `${mark}${character.charCodeAt(0).toString(16).padStart(digits, '0')}`;
}

export async function toBlob(input: Submission['input']): Promise<Blob> {
  if (input === undefined) return new Blob();
  if (input instanceof Blob) return input;
  return input instanceof Uint8Array ? new Blob([input]) : new Response(input).blob();
}

/** Where a job is, as the operations on it want to know. */
export function placeOf({ project_hpc: system, project_name, job_id }: Job) {
  return { hpc: system.toLowerCase(), project_name, job_id };
}
