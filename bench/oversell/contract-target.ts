import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { Access, Answer, ListedJob, Target, Wish } from './target.ts';

const Job = v.object({ job_id: v.string(), title: v.string(), terminal_stage: v.boolean() });
const Quota = v.object({ time_left: v.number() });

const deadlineMs = 120_000;
const pauseMs = 50;

/**
 * Measures any service that has the paths of the contract: jobs and quotas, and nothing else. It
 * takes the quota as it finds it, and learns the price of a job by submitting one.
 */
export function openContractTarget(access: Access): Target {
  const { hpc, project } = access;
  const readAccount = async () => {
    const { time_left: left } = v.parse(
      Quota,
      await readJson(access, `/quotas/${hpc}/${project}/`),
    );
    return left;
  };
  return {
    async prepare() {
      const before = await readAccount();
      const first = await submit(access, { title: `oversell price ${Date.now()}` });
      if (first.kind !== 'accepted') throw new Error('The first job was not accepted.');
      const remaining = await readAccount();
      const price = before - remaining;
      if (price <= 0) {
        throw new Error('A job takes nothing from the quota when it is submitted.');
      }
      return { remaining, price };
    },
    submit: (wish) => submit(access, wish),
    listJobs: () => listJobs(access),
    readAccount,
  };
}

/**
 * Submits a job, and again if it certainly was not accepted. Without a key for repeated requests, a
 * broken connection may have left a job, so it is not repeated unless the service remembers keys.
 */
export async function submit(
  { url, token, hpc, project, fields }: Access,
  { title }: Wish,
  key?: string,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-disposition': 'attachment; filename=job_file.zip',
    payload: JSON.stringify({ ...fields, title }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const sent = await send(`${url}/jobs/${hpc}/${project}/`, { method: 'POST', headers });
    const answer = readAnswer(sent, key !== undefined);
    if (answer.kind !== 'repeat') return answer;
    if (Date.now() > deadline) return { kind: 'unanswered' };
    await sleep(answer.afterMs);
  }
}

interface Repeat {
  readonly kind: 'repeat';
  readonly afterMs: number;
}

function readAnswer(sent: Sent | 'not sent' | 'broken', hasKey: boolean): Answer | Repeat {
  if (sent === 'not sent') return { kind: 'repeat', afterMs: pauseMs };
  if (sent === 'broken') {
    return hasKey ? { kind: 'repeat', afterMs: pauseMs } : { kind: 'unanswered' };
  }
  const { status, text, retryAfter } = sent;
  if (status === 201) return { kind: 'accepted', jobId: v.parse(Job, JSON.parse(text)).job_id };
  if ([429, 503].includes(status) || text.includes('idempotency-key-in-use')) {
    return { kind: 'repeat', afterMs: Math.max(pauseMs, retryAfter * 1000) };
  }
  return { kind: status < 500 ? 'refused' : 'unanswered' };
}

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: number;
  readonly link: string;
}

async function send(url: string, init: RequestInit): Promise<Sent | 'not sent' | 'broken'> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(deadlineMs) });
    const retryAfter = Number(response.headers.get('retry-after') ?? 0) || 0;
    const link = response.headers.get('link') ?? '';
    return { status: response.status, text: await response.text(), retryAfter, link };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const isRefused = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    return isRefused ? 'not sent' : 'broken';
  }
}

/** Follows links to further pages, which the contract doesn't know, if there are any. */
export async function listJobs(access: Access): Promise<ListedJob[]> {
  const { url, token, hpc, project } = access;
  const jobs: ListedJob[] = [];
  let next: string | undefined = `${url}/jobs/${hpc}/${project}/`;
  while (next !== undefined) {
    const headers = { authorization: `Bearer ${token}` };
    const { text, link }: Read = await read(next, { headers });
    const page = v.parse(v.array(Job), JSON.parse(text));
    jobs.push(
      ...page.map((job) => ({ jobId: job.job_id, title: job.title, ended: job.terminal_stage })),
    );
    const following: string | undefined = /<([^>]+)>; *rel="?next"?/.exec(link)?.[1];
    next = following === undefined ? undefined : new URL(following, next).href;
  }
  return jobs;
}

export async function readJson(
  { url, token }: Pick<Access, 'url' | 'token'>,
  path: string,
  init: RequestInit = {},
): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  const { text } = await read(`${url}${path}`, { ...init, headers });
  return JSON.parse(text);
}

interface Read {
  readonly text: string;
  readonly link: string;
}

/** Sends a request that can be repeated without harm, until the service answers. */
async function read(url: string, init: RequestInit): Promise<Read> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const sent = await send(url, init);
    if (typeof sent !== 'string' && sent.status < 300) return sent;
    const mayRepeat = typeof sent === 'string' || [429, 503].includes(sent.status);
    if (!mayRepeat || Date.now() > deadline) {
      throw new Error(`${url}: ${typeof sent === 'string' ? sent : `${sent.status} ${sent.text}`}`);
    }
    await sleep(pauseMs);
  }
}
