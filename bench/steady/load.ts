import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { describeJob } from '../measure/laptop-edition.ts';
import { type Ask, explainFailure, openAsk, type Place, readJson } from './ask.ts';
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

/** A submission that failed, so that nobody knows whether it took effect. It repeats its key. */
type Repeat = () => Promise<void>;

export const users = Array.from({ length: 32 }, (_, index) => String(500_001 + index));
const project = 'hpc_one/proj_hpc_one_01';
export const jobsInBatch = 4;
/** Every fourth round has a batch. */
const roundsPerBatch = 4;
/** How often failed submissions are sent again. */
const mostPasses = 30;

const zip = new Uint8Array(
  readFileSync(join(import.meta.dirname, '../../docs/examples/job_file.zip')),
);

const Job = readJson(v.object({ job_id: v.string() }));
const Batch = readJson(v.object({ batch_id: v.string() }));
const Webhook = readJson(v.object({ secret: v.string() }));
const Files = readJson(v.array(v.object({ fileid: v.string() })));

export type Load = Awaited<ReturnType<typeof openLoad>>;

/** Sends rounds of requests by users who each have a webhook and an open console. */
export async function openLoad(place: Place, receiver: Receiver) {
  const accepted: Accepted = { jobs: new Set(), batches: new Set() };
  const ask = openAsk(place);
  await registerAll(ask, receiver);
  const unanswered: Repeat[] = [];
  const requests = listRequests(ask, receiver, { accepted, unanswered });
  let rounds = 0;
  return {
    accepted,
    /** Counts accepted jobs and batches whose end has not arrived at the receiver yet. */
    underWay: () =>
      accepted.jobs.size + accepted.batches.size * (jobsInBatch + 1) - receiver.arrived().size,
    /** Sends failed submissions again, as their users would, so that all of them are accepted. */
    async sendAgain(): Promise<void> {
      for (let pass = 0; unanswered.length > 0 && pass < mostPasses; pass += 1) {
        if (pass > 0) await sleep(1000);
        // One that fails again puts itself back.
        for (const repeat of unanswered.splice(0)) await repeat().catch(() => undefined);
      }
    },
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

interface Submission {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  note(answer: string): void;
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
function listRequests(
  ask: Ask,
  receiver: Receiver,
  { accepted, unanswered }: { readonly accepted: Accepted; readonly unanswered: Repeat[] },
): readonly Request[] {
  const lastJobs = new Map<string, string>();
  /** Submits, and notes the answer. */
  const post = async (
    user: string,
    { path, fields, note }: Submission,
    key: string = randomUUID(),
  ): Promise<void> => {
    const headers = {
      ...describeJob(fields),
      'content-type': 'application/zip',
      'idempotency-key': key,
    };
    try {
      note(await ask(user, path, { method: 'POST', headers, body: zip }));
    } catch (error) {
      unanswered.push(() => post(user, { path, fields, note }, key));
      throw error;
    }
  };
  const get = (kind: string, pathFor: (turn: Turn) => string): Request => ({
    kind,
    send: (turn) => ask(turn.user, pathFor(turn)),
  });
  /** The job that the user submitted last, or the list as long as there is none. */
  const jobOf = (user: string, end: string) => {
    const id = lastJobs.get(user);
    return id === undefined ? '/jobs/?limit=1' : `/jobs/${project}/${id}/${end}`;
  };
  const submit: Request = {
    kind: 'submit',
    send: ({ user }) =>
      post(user, {
        path: '/jobs/hpc_one/',
        fields: {},
        note(answer) {
          const { job_id: id } = v.parse(Job, answer);
          accepted.jobs.add(id);
          lastJobs.set(user, id);
        },
      }),
  };
  const submitBatch: Request = {
    kind: 'batch',
    async send({ user, round }) {
      if (round % roundsPerBatch !== 0) {
        await ask(user, '/batches/?limit=20');
        return;
      }
      await post(user, {
        path: '/batches/hpc_one/',
        fields: { count: String(jobsInBatch) },
        note: (answer) => void accepted.batches.add(v.parse(Batch, answer).batch_id),
      });
    },
  };
  const download: Request = {
    kind: 'file',
    async send({ user }) {
      const id = receiver.lastEndedOf(user);
      if (id === undefined) return;
      const [file] = v.parse(Files, await ask(user, `/files/${project}/${id}/`));
      if (file) await ask(user, `/files/${project}/${id}/${file.fileid}/`);
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
