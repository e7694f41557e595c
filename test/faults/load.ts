import * as v from 'valibot';
import type { RequestFixture } from '../fixtures/api-event.ts';
import { zipOf } from '../fixtures/zip.ts';

/** A request of the load, which is sent until its answer is final. */
interface Operation {
  readonly user: string;
  readonly request: RequestFixture;
  readonly creates?: 'job' | 'batch';
}

/** Sends a request for a user, in this process or over HTTP. */
export interface Service {
  call(
    user: string,
    request: RequestFixture,
  ): Promise<{
    readonly status: number | undefined;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: unknown;
  }>;
}

const JobBody = v.object({ job_id: v.string(), project_name: v.string() });

const BatchBody = v.object({ batch_id: v.string(), project_name: v.string(), count: v.number() });

/** A conflict that waiting does not change. */
const Final = v.object({ type: v.pipe(v.string(), v.regex(/awaited|quota|reused/)) });

interface Accepted {
  readonly user: string;
  readonly id: string;
  readonly path: string;
}

interface AcceptedBatch extends Accepted {
  readonly count: number;
}

/** Answers that ask the client to come again. Any other refusal is final. */
const passing = [409, 429, 503];

const zip = zipOf(5000);

/** A few people who submit, cancel, chain and read, each request with a key of its own. */
export class Load {
  readonly jobs: Accepted[] = [];
  readonly batches: AcceptedBatch[] = [];
  /** What the service has answered, by status. */
  readonly answers = new Map<number, number>();
  tried = 0;
  refused = 0;
  readonly #service: Service;
  readonly #random: () => number;
  readonly #users: readonly string[];
  #waiting: Operation[] = [];

  constructor(service: Service, random: () => number, users: readonly string[]) {
    this.#service = service;
    this.#random = random;
    this.#users = users;
  }

  /** Sends this many requests, some at once. */
  async send(count: number): Promise<void> {
    const operations = Array.from({ length: count }, () => this.#choose());
    for (let at = 0; at < count; at += atOnce) {
      await Promise.all(operations.slice(at, at + atOnce).map((each) => this.#try(each)));
    }
  }

  /** Sends again what was refused for the moment. Returns how many are still refused. */
  async sendAgain(): Promise<number> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) await this.#try(each);
    return this.#waiting.length;
  }

  async #try(operation: Operation): Promise<void> {
    const { user, request, creates } = operation;
    this.tried += 1;
    const { status = 0, headers, body } = await this.#service.call(user, request);
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    if (status >= 500 && (status !== 503 || headers['retry-after'] === undefined)) {
      throw new Error(`${request.method} ${request.path}: ${status} ${JSON.stringify(body)}`);
    }
    if (status >= 400) this.refused += 1;
    if (passing.includes(status) && !v.is(Final, body)) this.#waiting.push(operation);
    if (status !== 201 || !creates) return;
    if (creates === 'job') this.#note(user, v.parse(JobBody, body));
    else this.#noteBatch(user, v.parse(BatchBody, body));
  }

  #note(user: string, { job_id: id, project_name }: v.InferOutput<typeof JobBody>): void {
    if (this.jobs.some((each) => each.id === id)) return;
    const hpc = project_name.includes('two') ? 'hpc_two' : 'hpc_one';
    this.jobs.push({ user, id, path: `/jobs/${hpc}/${project_name}/${id}/` });
  }

  #noteBatch(user: string, batch: v.InferOutput<typeof BatchBody>): void {
    const { batch_id: id, project_name, count } = batch;
    if (this.batches.some((each) => each.id === id)) return;
    this.batches.push({ user, id, count, path: `/batches/hpc_one/${project_name}/${id}/` });
  }

  #choose(): Operation {
    const user = this.#pick(this.#users) ?? '';
    const dice = this.#random();
    if (dice < 0.5) return this.#submit(user);
    if (dice < 0.6) return this.#submitBatch(user);
    if (dice < 0.7) return this.#submitAfter(user);
    if (dice < 0.85) return this.#cancel() ?? this.#submit(user);
    return { user, request: { path: this.#random() < 0.5 ? '/jobs/' : '/quotas/' } };
  }

  #submit(user: string, more: object = {}): Operation {
    const isTwo = this.#random() < 0.4;
    const hours = isTwo ? 0.5 : this.#pick([0.5, 1, 2, 4]);
    const program = isTwo ? { tool: 'PYTHON' } : { command: 'run' };
    const title = this.#random() < 0.1 ? 'a job, sim:fail' : 'a job';
    const withZip = this.#random() < 0.3;
    return {
      user,
      creates: 'job',
      request: {
        method: 'POST',
        path: `/jobs/${isTwo ? 'hpc_two' : 'hpc_one'}/`,
        headers: this.#describe({ ...program, runtime: hours, title, ...more }, withZip),
        ...(withZip && { body: zip }),
      },
    };
  }

  #submitBatch(user: string): Operation {
    const count = 2 + Math.floor(this.#random() * 5);
    const limit = this.#random() < 0.4 ? { max_running: '2' } : {};
    const fields = { command: 'run {index}', runtime: 0.5, title: 'job {index}', count, ...limit };
    return {
      user,
      creates: 'batch',
      request: {
        method: 'POST',
        path: '/batches/hpc_one/',
        headers: this.#describe(fields, false),
      },
    };
  }

  #submitAfter(user: string): Operation {
    const first = this.#pick(this.jobs.filter((each) => each.user === user));
    return first ? this.#submit(user, { after_any: [first.id] }) : this.#submit(user);
  }

  #cancel(): Operation | undefined {
    const chosen = this.#pick(this.#random() < 0.8 ? this.jobs : this.batches);
    return chosen && { user: chosen.user, request: { method: 'DELETE', path: chosen.path } };
  }

  #describe(fields: object, withZip: boolean): Record<string, string> {
    return {
      'idempotency-key': `key-${this.#random()}`,
      'content-disposition': 'attachment; filename=job_file.zip',
      payload: JSON.stringify({ node_number: '1', core_number: '1', ...textOf(fields) }),
      ...(withZip && { 'content-type': 'application/zip' }),
    };
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }
}

const atOnce = 4;

/** Writes numbers as text, as most clients of the contract do. */
function textOf(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'number' ? String(value) : value,
    ]),
  );
}
