import tls from 'node:tls';
import { pollUntil } from '#test/slurm/poll-until.ts';
import type { Unicore } from './server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface JobProperties {
  readonly status: string;
  readonly statusMessage: string;
  /** Missing if UNICORE does not know it. */
  readonly exitCode?: string;
  readonly consumedTime: Readonly<Record<string, string>>;
  readonly submissionTime: string;
  readonly log: readonly string[];
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
  readonly [name: string]: unknown;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export const asBytes = { Accept: 'application/octet-stream' };

/** Plain calls of the server, with its user's password if nothing else is shown. */
export class Caller {
  readonly #unicore: Unicore;

  constructor(unicore: Unicore) {
    this.#unicore = unicore;
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), unicore.caPem]);
  }

  /** Below the base address, or a whole address. */
  async send(path: string, { headers = {}, ...call }: Call = {}): Promise<Answer> {
    const { baseUrl, user, password } = this.#unicore;
    const proof = { Authorization: `Basic ${btoa(`${user}:${password}`)}` };
    return this.sendBare(path.startsWith('https:') ? path : `${baseUrl}${path}`, {
      ...call,
      headers: { ...proof, ...headers },
    });
  }

  /** Shows nothing but the headers given. */
  async sendBare(path: string, { headers, ...call }: Call = {}): Promise<Answer> {
    const address = path.startsWith('https:') ? path : `${this.#unicore.baseUrl}${path}`;
    const accepted = { Accept: 'application/json', ...headers };
    const request = () => fetch(address, { ...call, headers: accepted });
    // The server closes connections on which it refused a request, at times under the next one.
    const response = await request().catch(request);
    return { status: response.status, headers: response.headers, body: await response.text() };
  }

  async read<T>(path: string): Promise<T> {
    const { status, body } = await this.send(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    return JSON.parse(body);
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const type = { 'Content-Type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send(path, { method: 'POST', headers: { ...type, ...headers }, body: text });
  }

  put(path: string, body: string, type = 'application/octet-stream'): Promise<Answer> {
    return this.send(path, { method: 'PUT', headers: { 'Content-Type': type }, body });
  }

  /** The id of the new job. */
  async submit(description: object): Promise<string> {
    const { status, headers, body } = await this.post('/jobs', description);
    if (status !== 201) throw new Error(`${status} ${body}`);
    return headers.get('location')?.split('/').at(-1) ?? '';
  }

  /** Submits a job that waits for its start, and waits for its directory. */
  async prepare(description: object = { Executable: 'date' }): Promise<string> {
    const id = await this.submit({ ...description, haveClientStageIn: 'true' });
    await pollUntil('the storage is ready', 20, async () => {
      const { resourceStatus } = await this.read<{ resourceStatus: string }>(storageOf(id));
      return resourceStatus === 'READY' || undefined;
    });
    return id;
  }

  async waitFor(id: string, ...statuses: string[]): Promise<JobProperties> {
    return pollUntil(`job ${id} is ${statuses.join(' or ')}`, 60, async () => {
      const { status, body } = await this.send(`/jobs/${id}`);
      // For a moment it cannot show a job that it has just accepted.
      if (status === 500 && body.includes('ResourceUnknownException')) return undefined;
      const job: JobProperties = JSON.parse(body);
      return statuses.includes(job.status) ? job : undefined;
    });
  }

  async run(description: object): Promise<JobProperties & { readonly id: string }> {
    const id = await this.submit(description);
    return { ...(await this.waitFor(id, 'SUCCESSFUL', 'FAILED')), id };
  }

  async readFile(id: string, path: string): Promise<string> {
    return (await this.send(`${storageOf(id)}/files/${path}`, { headers: asBytes })).body;
  }
}

export function storageOf(id: string): string {
  return `/storages/${id}-uspace`;
}
