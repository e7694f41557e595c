import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  type FakeJob,
  type FakeReservation,
  presentAccounted,
  presentQueued,
  presentReservation,
} from './fake-jobs.ts';

export interface Question {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  /** For whom it is asked. */
  readonly user: string;
  readonly body: unknown;
}

export interface Reply {
  readonly status: number;
  /** A text is sent as text/plain, as slurmrestd itself does where it has no JSON. */
  readonly body: unknown;
}

/** A submission up to version 0.0.38. */
export interface SubmittedBody {
  readonly script: string;
  readonly job: {
    readonly name: string;
    readonly array?: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly current_working_directory: string;
    readonly standard_output?: string;
    readonly time_limit?: number;
    readonly memory_per_node?: number;
    readonly qos?: string;
  };
}

/** Runs what is submitted, and changes the queue and the accounting as it does. */
export interface FakeRunner {
  take(id: number, body: SubmittedBody, user: string | null): void;
  cancel(id: number): void;
}

/** What a real slurmrestd 22.05 was seen to answer, and the later shapes of its interface. */
export class FakeSlurmrestd {
  url = '';
  versions: readonly number[];
  hasAccounting = false;
  token = 'good';
  /** Whether it shows users their own jobs alone. */
  hidesJobs = false;
  /** Whose jobs it takes, and keeps as those of nobody. */
  unknownUsers: readonly string[] = [];
  /** What it says to a submission instead of taking it. */
  refuse: ((body: SubmittedBody) => Reply | undefined) | undefined;
  /** A task must have a lower number. */
  maxArraySize = 1001;
  /** Without it, jobs stay as a test sets them. */
  runner: FakeRunner | undefined;
  readonly queue: FakeJob[] = [];
  readonly accounted: FakeJob[] = [];
  readonly reservations: FakeReservation[] = [];
  readonly questions: Question[] = [];
  /** Instead of the next answers to questions whose path has this in it. */
  readonly replies: { readonly to: string; readonly reply: Reply | 'hang up' }[] = [];

  constructor(versions: readonly number[]) {
    this.versions = versions;
  }

  count(part: string): number {
    return this.questions.filter(({ path }) => path.includes(part)).length;
  }

  submitted(): unknown[] {
    return this.questions.filter(({ method }) => method === 'POST').map(({ body }) => body);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = await readQuestion(request);
    this.questions.push(question);
    const reply = this.answer(question);
    const index = this.replies.findIndex(({ to }) => question.path.includes(to));
    const other = index < 0 ? undefined : this.replies.splice(index, 1)[0]?.reply;
    if (other === 'hang up') {
      request.socket.destroy();
      return;
    }
    const { status, body } = other ?? reply;
    const text = typeof body === 'string';
    response.writeHead(status, { 'content-type': text ? 'text/plain' : 'application/json' });
    response.end(text ? body : JSON.stringify(body));
  }

  private answer(question: Question): Reply {
    const { path, token } = question;
    if (token === '') return { status: 401, body: 'Authentication failure' };
    if (path === '/openapi/v3') return { status: 200, body: this.specification() };
    const [, area, version, ...rest] = path.split('?')[0]!.split('/');
    const number = Number(version?.replace('v0.0.', ''));
    const served = area === 'slurm' || (area === 'slurmdb' && this.hasAccounting);
    if (!served || !this.versions.includes(number)) {
      return { status: 404, body: 'Unable find requested URL.' };
    }
    if (token !== this.token) return refuseToken(question);
    const what = rest.filter((part) => part !== '').join('/');
    return area === 'slurm'
      ? this.answerQueue(question, what, number)
      : this.answerAccounting(question, what, number);
  }

  private answerQueue(question: Question, what: string, version: number): Reply {
    const { method, body, user } = question;
    const queue = this.queue.filter((job) => !this.hidesJobs || job.user === user);
    if (what === 'ping') return answerJobs('pings', [{ hostname: 'vm', ping: 'UP', status: 0 }]);
    if (what === 'reservations') {
      const shown = this.reservations.map((each) => presentReservation(each, version));
      return answerJobs('reservations', shown);
    }
    if (what === 'jobs') {
      return answerJobs(
        'jobs',
        queue.map((job) => presentQueued(job, version)),
      );
    }
    if (method === 'POST') return this.takeJob(body, user);
    const [number = '', task] = what.replace('job/', '').split('_');
    const jobs = queue.filter(({ id, array }) => String(array?.number ?? id) === number);
    if (jobs.length === 0) return refuseJobId(what.replace('job/', ''));
    if (method === 'DELETE' && this.runner) {
      for (const { id } of jobs) this.runner.cancel(id);
      return { status: 200, body: { meta: {}, errors: [] } };
    }
    if (method === 'DELETE') return cancelAmong(jobs, task);
    const found = jobs.filter(({ array }) => task === undefined || array?.task === Number(task));
    if (found.length === 0) return refuseTask(what.replace('job/', ''));
    return answerJobs(
      'jobs',
      found.map((job) => presentQueued(job, version)),
    );
  }

  /** Starts a task of an array that waits. The last one has the number of the array. */
  startTask(number: number, task: number, more: Partial<FakeJob> = {}): void {
    const place = this.queue.findIndex(({ array }) => array?.number === number && array.waiting);
    const waiting = this.queue[place];
    if (!waiting?.array?.waiting?.includes(task)) throw new Error(`${task} does not wait.`);
    const rest = waiting.array.waiting.filter((other) => other !== task);
    const others = { ...waiting, array: { ...waiting.array, waiting: rest } };
    const id = rest.length === 0 ? number : 1000 + this.queue.length;
    const started = { ...waiting, id, array: { number, task }, states: ['RUNNING'], ...more };
    this.queue.splice(place, 1, ...(rest.length > 0 ? [others] : []), started);
  }

  private answerAccounting({ path }: Question, what: string, version: number): Reply {
    const name = new URL(path, 'http://fake').searchParams.get('job_name');
    const isWanted = ({ id, array, name: own }: FakeJob) =>
      name === null
        ? what === 'jobs' || [array?.number, id].some((number) => what === `job/${number}`)
        : name.split(',').includes(own);
    const found = this.accounted.filter(isWanted);
    if (found.length > 0) {
      return answerJobs(
        'jobs',
        found.map((job) => presentAccounted(job, version)),
      );
    }
    const error = { error_number: 9003, error: 'Nothing found with query' };
    return { status: 200, body: { errors: [error], jobs: [] } };
  }

  private takeJob(body: unknown, user: string): Reply {
    const submitted = body as SubmittedBody;
    const refusal = this.refuse?.(submitted);
    if (refusal) return refusal;
    const { job } = submitted;
    const id = this.queue.length + 1;
    const known = this.unknownUsers.includes(user) ? null : user;
    const array = job.array === undefined ? undefined : readArray(id, job.array);
    if (array?.waiting.some((task) => task >= this.maxArraySize)) return refuseArray();
    this.queue.push({
      id,
      name: job.name,
      states: ['PENDING'],
      user: known,
      ...(array && { array }),
    });
    this.runner?.take(id, submitted, known);
    const answer = { meta: {}, errors: [], job_id: id, step_id: 'BATCH', job_submit_user_msg: '' };
    return { status: 200, body: answer };
  }

  private specification() {
    const paths = this.versions.flatMap((number) => [
      `/slurm/v0.0.${number}/job/submit`,
      `/slurm/v0.0.${number}/jobs`,
      ...(this.hasAccounting ? [`/slurmdb/v0.0.${number}/job/{job_id}`] : []),
    ]);
    return { openapi: '3.0.3', paths: Object.fromEntries(paths.map((path) => [path, {}])) };
  }
}

/** Reads `0-3,7%4`. */
function readArray(number: number, text: string) {
  const [list = '', atOnce] = text.split('%');
  const waiting = list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return { number, waiting, ...(atOnce !== undefined && { atOnce: Number(atOnce) }) };
}

/** A task that is cancelled while it waits leaves no record. */
function cancelAmong(jobs: readonly FakeJob[], task: string | undefined): Reply {
  const done = { status: 200, body: { meta: {}, errors: [] } };
  if (task === undefined) {
    for (const job of jobs) job.states = ['CANCELLED'];
    return done;
  }
  const started = jobs.find(({ array }) => array?.task === Number(task));
  if (started) {
    started.states = ['CANCELLED'];
    return done;
  }
  const all = jobs.find(({ array }) => array?.waiting?.includes(Number(task)));
  const waiting = all?.array?.waiting;
  if (!all || !waiting) return refuseJobId(task);
  waiting.splice(waiting.indexOf(Number(task)), 1);
  if (waiting.length === 0) all.states = ['CANCELLED'];
  return done;
}

/** On loopback, until the test ends. */
export async function startFake(...versions: number[]): Promise<FakeSlurmrestd> {
  const { fake, close } = await openFake(...versions);
  onTestFinished(close);
  return fake;
}

/** The same for several tests, until it is closed. */
export async function openFake(...versions: number[]) {
  const fake = new FakeSlurmrestd(versions);
  const server = createServer((request, response) => void fake.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { fake, close };
}

async function readQuestion(request: IncomingMessage): Promise<Question> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString();
  const token = request.headers['x-slurm-user-token'];
  const user = String(request.headers['x-slurm-user-name'] ?? '');
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    token: user !== '' && typeof token === 'string' ? token : '',
    user,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function answerJobs(member: string, list: unknown[]): Reply {
  return { status: 200, body: { meta: {}, errors: [], [member]: list } };
}

/** As 22.05 does: the controller hangs up, and slurmrestd cannot say why. */
export function refuseToken({ method }: { method: string }): Reply {
  const error =
    method === 'GET'
      ? {
          description: 'Failed while looking for jobs',
          error_number: -1,
          error: 'Unspecified error',
          source: 'slurm_load_jobs',
        }
      : { error_code: 5005, error: 'Zero Bytes were transmitted or received' };
  return { status: 500, body: { meta: {}, errors: [error], jobs: [] } };
}

export function refuseJobId(id: string, status = 500): Reply {
  const error = {
    description: `Unable to find JobId=${id}`,
    error_number: 2017,
    error: 'Invalid job id specified',
    source: 'slurm_load_job',
  };
  return { status, body: { meta: {}, errors: [error], jobs: [] } };
}

/** As 22.05 does for a task that has not started. */
function refuseTask(id: string): Reply {
  const error = {
    description: `Unable to find JobId=${id}`,
    error_number: 9002,
    error: 'Jobs description entry not found, empty or not dictionary or list',
    source: '_handle_job_get',
  };
  return { status: 500, body: { meta: {}, errors: [error] } };
}

function refuseArray(): Reply {
  const error = { error_code: 2081, error: 'Invalid job array specification' };
  return { status: 500, body: { meta: {}, errors: [error] } };
}
