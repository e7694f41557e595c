import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describeJob, type LaptopEdition } from '../measure/laptop-edition.ts';
import { type Ask, explainFailure, openAsk, readJson } from './ask.ts';
import type { Receiver } from './receiver.ts';
import { type Pace, sendByClock } from './send-by-clock.ts';

/** One answered request. */
export interface Answer {
  /** When it was to be sent, in milliseconds of this process's clock. */
  readonly plannedAt: number;
  /** From that moment to the last byte of the answer. A request that waited to be sent counts too. */
  readonly ms: number;
  /** How long it waited to be sent, because the machine was busy with something else. */
  readonly lateMs: number;
  readonly kind: string;
  /** The status or the code of a failure; undefined if the answer was a success. */
  readonly failure?: string;
}

/** What was accepted, and has to be found in the end. */
export interface Accepted {
  readonly jobs: Set<string>;
  readonly batches: Set<string>;
}

export const users = Array.from({ length: 32 }, (_, index) => String(500_001 + index));
const place = 'hpc_one/proj_hpc_one_01';
export const jobsInBatch = 4;
/** Every fourth round has a batch. */
const roundsPerBatch = 4;

const zip = new Uint8Array(
  readFileSync(join(import.meta.dirname, '../../docs/examples/job_file.zip')),
);

const Job = readJson(v.object({ job_id: v.string() }));
const Batch = readJson(v.object({ batch_id: v.string() }));
const Webhook = readJson(v.object({ secret: v.string() }));
const Files = readJson(v.array(v.object({ fileid: v.string() })));

export type Load = Awaited<ReturnType<typeof openLoad>>;

/** Sends rounds of requests by users who each have a webhook and an open console. */
export async function openLoad(edition: LaptopEdition, receiver: Receiver) {
  const accepted: Accepted = { jobs: new Set(), batches: new Set() };
  const ask = openAsk(edition);
  await registerAll(ask, receiver);
  const requests = listRequests(ask, receiver, accepted);
  let rounds = 0;
  return {
    accepted,
    /** Counts accepted jobs and batches whose end has not arrived at the receiver yet. */
    underWay: () =>
      accepted.jobs.size + accepted.batches.size * (jobsInBatch + 1) - receiver.arrived().size,
    /** Sends so many rounds a second. Tells each answer as it comes. */
    async play({ perSecond, seconds }: Pace, onAnswer: (answer: Answer) => void): Promise<void> {
      const first = rounds;
      const pace = { perSecond: perSecond * requests.length, seconds };
      await sendByClock(pace, async (turn, plannedAt) => {
        const round = first + Math.floor(turn / requests.length);
        rounds = round + 1;
        const user = users[round % users.length] ?? '';
        const request = requests[turn % requests.length];
        if (request) onAnswer(await answerOf(request, { user, round }, plannedAt));
      });
    },
  };
}

interface Turn {
  readonly user: string;
  readonly round: number;
}

interface Request {
  readonly kind: string;
  send(turn: Turn): Promise<unknown>;
}

async function answerOf({ kind, send }: Request, turn: Turn, plannedAt: number): Promise<Answer> {
  const lateMs = performance.now() - plannedAt;
  const failure = await send(turn).then(
    () => undefined,
    (error: unknown) => explainFailure(error),
  );
  const ms = performance.now() - plannedAt;
  return { plannedAt, ms, lateMs, kind, ...(failure !== undefined && { failure }) };
}

async function registerAll(ask: Ask, receiver: Receiver): Promise<void> {
  for (const user of users) {
    const wanted = { url: receiver.addressFor(user), events: ['job.ended', 'batch.ended'] };
    const made = await ask(user, '/webhooks/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
    });
    receiver.expectSecret(user, v.parse(Webhook, made).secret);
  }
}

/** Lists the requests of a round, in their order. */
function listRequests(ask: Ask, receiver: Receiver, accepted: Accepted): readonly Request[] {
  const lastJobs = new Map<string, string>();
  const post = (user: string, path: string, fields: Readonly<Record<string, string>>) => {
    const key = { 'content-type': 'application/zip', 'idempotency-key': randomUUID() };
    const headers = { ...describeJob(fields), ...key };
    return ask(user, path, { method: 'POST', headers, body: zip });
  };
  const get = (kind: string, pathFor: (turn: Turn) => string): Request => ({
    kind,
    send: (turn) => ask(turn.user, pathFor(turn)),
  });
  /** The job that the user submitted last, or the list as long as there is none. */
  const jobOf = (user: string, end: string) => {
    const id = lastJobs.get(user);
    return id === undefined ? '/jobs/?limit=1' : `/jobs/${place}/${id}/${end}`;
  };
  const submit: Request = {
    kind: 'submit',
    async send({ user }) {
      const { job_id: id } = v.parse(Job, await post(user, '/jobs/hpc_one/', {}));
      accepted.jobs.add(id);
      lastJobs.set(user, id);
    },
  };
  const submitBatch: Request = {
    kind: 'batch',
    async send({ user, round }) {
      if (round % roundsPerBatch !== 0) {
        await ask(user, '/batches/?limit=20');
        return;
      }
      const made = await post(user, '/batches/hpc_one/', { count: String(jobsInBatch) });
      accepted.batches.add(v.parse(Batch, made).batch_id);
    },
  };
  const download: Request = {
    kind: 'file',
    async send({ user }) {
      const id = receiver.lastEndedOf(user);
      if (id === undefined) return;
      const [file] = v.parse(Files, await ask(user, `/files/${place}/${id}/`));
      if (file) await ask(user, `/files/${place}/${id}/${file.fileid}/`);
    },
  };
  const opened = ['/status/', '/hpc/', '/projects/', '/projects/?led=true', '/webhooks/', usage];
  return [
    submit,
    get('home', () => '/jobs/?order=desc&limit=100'),
    get('home', () => '/quotas/?expand=usage'),
    submitBatch,
    get('job', ({ user }) => jobOf(user, '?expand=request')),
    get('job', ({ user }) => jobOf(user, 'timeline/')),
    get('list', () => '/jobs/?order=desc&limit=201'),
    get('open', ({ round }) => opened[round % opened.length] ?? ''),
    download,
  ];
}

const today = new Date().toISOString().slice(0, 10);
const usage = `/usage/?by=project,day&since=${today}&until=${today}`;
