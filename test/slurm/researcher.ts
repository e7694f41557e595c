import { randomUUID } from 'node:crypto';
import type { Service } from '#local/start-service.ts';
import { comeAgain } from '../fixtures/come-again.ts';
import { pollUntil } from './poll-until.ts';

export interface JobBody {
  readonly job_id: string;
  readonly stage: string;
  readonly terminal_stage: boolean;
  readonly failed: boolean;
  readonly project_name: string;
}

export interface BatchBody {
  readonly batch_id: string;
  readonly project_name: string;
  readonly count: number;
  readonly counts: Readonly<
    Record<'waiting' | 'running' | 'done' | 'failed' | 'cancelled', number>
  >;
  readonly held: { readonly time: number };
  readonly used: { readonly time: number };
}

export interface TimelineBody {
  readonly stage: string;
  readonly reason: string | null;
  readonly stages: readonly { readonly stage: string; readonly since: string }[];
  readonly tries: readonly { readonly accepted: boolean; readonly reason: string | null }[];
}

export interface FileBody {
  readonly fileid: string;
  readonly filename: string;
  readonly length: number;
}

export interface Wishes {
  readonly hpc?: string;
  readonly cores?: number;
  readonly nodes?: number;
  /** Hours. */
  readonly runtime?: number;
  readonly zip?: Buffer<ArrayBuffer>;
  /** Further fields of the payload. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

let users = 1000;

/** Signs somebody in whom the service does not know yet, unless a user is named. */
export function meetResearcher(
  { url, issuer }: Pick<Service, 'url' | 'issuer'>,
  user = String(++users),
): Researcher {
  return new Researcher({ url, token: issuer.issueToken({ user }), user });
}

/** Somebody with a token, who knows nothing of Slurm. Jobs go by the path that their 201 names. */
export class Researcher {
  readonly user: string;
  readonly #url: string;
  readonly #token: string;

  constructor({ url, token, user }: { url: string; token: string; user: string }) {
    this.user = user;
    this.#url = url;
    this.#token = token;
  }

  /** One node for six minutes, unless another wish is said. */
  async submit(command: string, wishes: Wishes = {}) {
    return this.#submit<JobBody>('jobs', command, wishes, {});
  }

  async submitBatch(command: string, terms: Readonly<Record<string, string>>, wishes: Wishes = {}) {
    return this.#submit<BatchBody>('batches', command, wishes, terms);
  }

  async #submit<Body>(what: string, command: string, wishes: Wishes, more: object) {
    const { hpc = 'hpc_one', cores = 1, nodes = 1, runtime = 0.1, zip, fields: asked } = wishes;
    const fields = {
      command,
      node_number: nodes,
      core_number: cores,
      runtime,
      title: 'a title',
      ...asked,
      ...more,
    };
    const response = await this.#fetch(`/${what}/${hpc}/`, {
      method: 'POST',
      headers: {
        'content-disposition': 'attachment; filename=job_file.zip',
        'idempotency-key': randomUUID(),
        payload: JSON.stringify(fields),
        ...(zip && { 'content-type': 'application/zip' }),
      },
      ...(zip && { body: zip }),
    });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`The job was not taken: ${text}`);
    const body: Body = JSON.parse(text);
    return { path: new URL(response.headers.get('location') ?? '').pathname, body };
  }

  async cancel(path: string): Promise<JobBody> {
    const response = await this.#fetch(path, { method: 'DELETE' });
    return JSON.parse(await response.text());
  }

  async read<Body>(path: string): Promise<Body> {
    return JSON.parse(await (await this.#fetch(path)).text());
  }

  /** Sends a request without a body, and returns what came, whatever it is. */
  async ask(path: string, method = 'GET') {
    const response = await this.#fetch(path, { method });
    return { status: response.status, text: await response.text() };
  }

  readTimeline(path: string): Promise<TimelineBody> {
    return this.read(`${path}timeline/`);
  }

  async readTimeLeft(hpc = 'hpc_one'): Promise<number | undefined> {
    const quotas = await this.read<{ time_left: number }[]>(`/quotas/${hpc}/`);
    return quotas[0]?.time_left;
  }

  listFiles(path: string): Promise<FileBody[]> {
    return this.read(path.replace('/jobs/', '/files/'));
  }

  async fetchFile(path: string, fileId: string): Promise<Buffer> {
    const response = await this.#fetch(`${path.replace('/jobs/', '/files/')}${fileId}/`);
    if (!response.ok) throw new Error(`The file was not sent: ${await response.text()}`);
    return Buffer.from(await response.bytes());
  }

  waitForStage(path: string, stage: string): Promise<JobBody> {
    return pollUntil(`the job is ${stage}`, 60, async () => {
      const job = await this.read<JobBody>(path);
      return job.stage === stage ? job : undefined;
    });
  }

  waitForEnd(path: string, seconds = 60): Promise<JobBody> {
    return pollUntil('the job has ended', seconds, async () => {
      const job = await this.read<JobBody>(path);
      return job.terminal_stage ? job : undefined;
    });
  }

  #fetch(path: string, { headers, ...request }: RequestInit = {}): Promise<Response> {
    const authorization = `Bearer ${this.#token}`;
    return comeAgain(() =>
      fetch(`${this.#url}${path}`, { ...request, headers: { ...headers, authorization } }),
    );
  }
}
