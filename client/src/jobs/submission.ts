import { type Input, writePath } from '../calls/call.ts';
import type { Progress } from '../calls/put-file.ts';
import { toHours } from '../format/times/read-hours.ts';
import type { Batch, Job } from '../generated/operations.ts';
import type { ProjectPlace } from '../rows/match-projects.ts';

export interface Submission {
  readonly hpc: string;
  /** Default: the default project of the system. */
  readonly project?: string | undefined;
  /** @deprecated Since 0.3.0 this is `project`. */
  readonly project_name?: string | undefined;
  /** What to run: a `command` or a `tool`, depending on the system. */
  readonly command?: string | undefined;
  readonly tool?: string | undefined;
  readonly nodes: number;
  /** On each node. */
  readonly cores: number;
  /** Tasks on each node, which divide its cores, on systems that offer the choice. */
  readonly tasks?: number | undefined;
  /** On each node, such as `16 GB`, on systems that offer it. */
  readonly memory?: string | undefined;
  /** GPUs on each node, on systems that offer them. */
  readonly gpus?: number | undefined;
  readonly gpuKind?: string | undefined;
  /** The class of the job, on systems that have classes. */
  readonly class?: string | undefined;
  /** The image that the command runs in, on systems that allow images. */
  readonly image?: string | undefined;
  /** Hours, or a text such as `1h30m` or `1:30:00`. */
  readonly runtime: number | string;
  readonly title?: string | undefined;
  /** Files that the job fetches, on systems that allow hosts for it. */
  readonly inputs?:
    | readonly {
        readonly from: string;
        readonly to: string;
        readonly sha256?: string | undefined;
      }[]
    | undefined;
  /** Files that it sends, on systems that allow places for them. */
  readonly outputs?: readonly { readonly files: string; readonly to: string }[] | undefined;
  /** Other fields of the system. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Ids of your jobs and batches, on any system, that must end well before this job runs. */
  readonly after?: readonly string[] | undefined;
  /** Ids of jobs and batches that must end before this job runs, however that is. */
  readonly afterAny?: readonly string[] | undefined;
  /**
   * Id of a job or batch whose results become the input once it has ended well. Files of the zip
   * win. Each job of a batch has a folder, named by its index.
   */
  readonly inputFrom?: string | undefined;
  /** The folder for these results. Default: none. */
  readonly inputFolder?: string | undefined;
  /** Whether jobs of this batch that did not end well refuse the input. Default: they do. */
  readonly inputFailed?: 'refuse' | 'leave_out' | undefined;
  /** The zip. Without it the job has no input. */
  readonly input?: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
  /** The name of the zip. Default: `input.zip`. */
  readonly filename?: string | undefined;
  /** The same key never makes two jobs. Default: a random one. */
  readonly idempotencyKey?: string | undefined;
  /** Called with the progress of a large upload. */
  readonly onProgress?: Progress | undefined;
  /** Called with the id of a large upload, to go on with it if it breaks off. */
  readonly onUpload?: ((uploadId: string) => void) | undefined;
  /** Goes on with an upload of the same input that broke off in the last day. */
  readonly uploadId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Many jobs as one. `{index}` and `{column}` stand for the values of each. */
export interface BatchSubmission extends Submission {
  /** How many jobs. Give either this or `table`. */
  readonly count?: number | undefined;
  /** The name of a CSV file in the zip, with one row a job. */
  readonly table?: string | undefined;
  /** How many of the jobs may run at once. */
  readonly maxRunning?: number | undefined;
}

export function nameOf({ filename = 'input.zip' }: Submission): string {
  return filename;
}

/** What a submission makes: one job, or a batch. */
export type Made = 'jobs' | 'batches';

export function writeSubmissionPath(
  made: Made,
  { hpc, project }: Submission,
  query: Input,
): string {
  return writePath(`/${made}/{hpc}/[{project_name}/]`, { hpc, project_name: project, ...query });
}

export function writeSubmissionHeaders(submission: BatchSubmission): Record<string, string> {
  return {
    'content-disposition': `attachment; filename*=UTF-8''${encodeName(nameOf(submission))}`,
    payload: writePayload(submission),
  };
}

/** Encodes a name by RFC 8187, which allows fewer characters than addresses do. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, writeEscape('%', 2));
}

/** Escapes all but ASCII, because headers hold nothing else. */
function writePayload(submission: BatchSubmission): string {
  const payload = JSON.stringify({
    command: submission.command,
    tool: submission.tool,
    node_number: submission.nodes,
    core_number: submission.cores,
    task_number: submission.tasks,
    runtime: toHours(submission.runtime),
    title: submission.title,
    memory: submission.memory,
    gpu_number: submission.gpus,
    gpu_kind: submission.gpuKind,
    class: submission.class,
    inputs: submission.inputs,
    outputs: submission.outputs,
    image: submission.image,
    count: submission.count,
    table: submission.table,
    max_running: submission.maxRunning,
    after: submission.after,
    after_any: submission.afterAny,
    input_from: submission.inputFrom,
    input_folder: submission.inputFolder,
    input_failed: submission.inputFailed,
    ...submission.fields,
  });
  return payload.replaceAll(/[^\x20-\x7e]/g, writeEscape('\\u', 4));
}

function writeEscape(mark: string, digits: number) {
  return (character: string) =>
    `${mark}${character.charCodeAt(0).toString(16).padStart(digits, '0')}`;
}

export async function toBlob(input: Submission['input']): Promise<Blob> {
  return input instanceof Blob ? input : new Response(input).blob();
}

/** Returns the path parameters of a job or a batch. */
export function placeOf(job: Job): ProjectPlace & Pick<Job, 'job_id'>;
export function placeOf(batch: Batch): ProjectPlace & Pick<Batch, 'batch_id'>;
export function placeOf(
  made: Job | Batch,
): ProjectPlace & (Pick<Job, 'job_id'> | Pick<Batch, 'batch_id'>);
export function placeOf(made: Job | Batch) {
  const { project_hpc: system, project_name } = made;
  const place = { hpc: system.toLowerCase(), project_name };
  return 'job_id' in made
    ? { ...place, job_id: made.job_id }
    : { ...place, batch_id: made.batch_id };
}
