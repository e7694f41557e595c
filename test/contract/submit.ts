import { zipOf as buildZipOf, emptyZip } from '../fixtures/zip.ts';
import { type Answer, ask } from './ask.ts';
import { expectJob, type Job } from './shapes.ts';
import type { Account, Target } from './target.ts';

export type Hpc = 'hpc_one' | 'hpc_two';

/** The first project of each system, which is its default one (interface 2.1). */
export const projects = { hpc_one: 'proj_hpc_one_01', hpc_two: 'proj_hpc_two_01' } as const;

/** The payloads of the examples, with every value as text. */
export const payloads = {
  hpc_one: {
    command: 'ls -lisa',
    node_number: '2',
    core_number: '6',
    runtime: '2.0',
    title: 'a job title',
  },
  hpc_two: {
    tool: 'NEURON74_TG',
    node_number: '2',
    core_number: '6',
    runtime: '2.0',
    title: 'a job title',
  },
} as const;

export interface Submission {
  readonly hpc?: Hpc;
  /** The whole path, where it is another than that of the system. */
  readonly path?: string;
  /** Fields that replace or join those of the example. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The header itself, where it is no plain JSON; `null` leaves it out. */
  readonly payload?: string | null;
  readonly disposition?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string;
}

export const smallZip = Uint8Array.from(emptyZip);

/** A zip of exactly so many bytes, 100 or more. */
export function zipOf(bytes: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(buildZipOf(bytes));
}

export function submit(
  target: Target,
  { token }: Pick<Account, 'token'>,
  submission: Submission = {},
): Promise<Answer> {
  const { hpc = 'hpc_one', fields, headers, body = smallZip } = submission;
  const { payload = JSON.stringify({ ...payloads[hpc], ...fields }) } = submission;
  const { disposition = 'attachment; filename=job_file.zip' } = submission;
  return ask(target, {
    method: 'POST',
    path: submission.path ?? `/jobs/${hpc}/`,
    token,
    headers: {
      ...(disposition === null ? {} : { 'content-disposition': disposition }),
      ...(payload === null ? {} : { payload }),
      ...headers,
    },
    body,
  });
}

/** A job that costs next to nothing. */
export async function makeJob(
  target: Target,
  account: Account,
  submission: Submission = {},
): Promise<Job> {
  const fields = { node_number: '1', runtime: '0.01', ...submission.fields };
  return expectJob(await submit(target, account, { ...submission, fields }), 201);
}

export function pathOfJob({ project_hpc, project_name, job_id }: Job): string {
  return `/jobs/${project_hpc.toLowerCase()}/${project_name}/${job_id}/`;
}
