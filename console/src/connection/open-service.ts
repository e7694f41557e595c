import {
  createClient,
  type Estimate,
  type Slipway,
  SlipwayProblem,
  type Submission,
} from '#client/index.ts';
import { rememberAnswers } from './remember-answers.ts';

export interface Connection {
  readonly api: string;
  /** The token, or a fresh one where it is about to end. */
  readonly token: () => string | Promise<string>;
}

export interface FileOfJob {
  readonly hpc: string;
  readonly project_name: string;
  readonly job_id: string;
  readonly file_id: string;
}

export interface Service extends Slipway {
  estimate(submission: Submission): Promise<Estimate>;
  readFile(file: FileOfJob, options?: { readonly signal?: AbortSignal }): Promise<Response>;
}

/** A person waits: what fails is told, with a button to try again, and not tried for a minute. */
const retries = 2;

export function openService({ api, token }: Connection): Service {
  const ask = rememberAnswers((input, init) => fetch(input, init));
  const client = createClient({ baseUrl: api, token, retries, fetch: ask });
  return {
    ...client,
    estimate: async (submission) => {
      const {
        command,
        tool,
        nodes,
        cores,
        runtime,
        title,
        fields,
        hpc,
        project_name: project,
      } = submission;
      const payload = JSON.stringify({
        command,
        tool,
        node_number: nodes,
        core_number: cores,
        runtime,
        title,
        ...fields,
      });
      const response = await fetch(
        `${api}/jobs/${hpc}/${project === undefined ? '' : `${project}/`}?dry_run=true`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${await token()}`,
            'content-disposition': 'attachment; filename=input.zip',
            payload: payload.replaceAll(
              /[^\x20-\x7e]/g,
              (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
            ),
            ...(submission.input instanceof Blob &&
              submission.input.size <= 4_500_000 && { 'content-type': 'application/zip' }),
          },
          ...(submission.input instanceof Blob &&
            submission.input.size <= 4_500_000 && { body: submission.input }),
          ...(submission.signal && { signal: submission.signal }),
        },
      );
      const body = await response.json();
      if (!response.ok) throw new SlipwayProblem(body);
      return body;
    },
    readFile: async ({ hpc, project_name: project, job_id: id, file_id: file }, options = {}) => {
      const response = await fetch(
        `${api}/files/${hpc}/${project}/${id}/${encodeURIComponent(file)}/`,
        {
          headers: { authorization: `Bearer ${await token()}` },
          cache: 'no-store',
          ...options,
        },
      );
      if (!response.ok) throw new SlipwayProblem(await response.json());
      return response;
    },
  };
}
