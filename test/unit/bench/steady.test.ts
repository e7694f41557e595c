import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import { judgeEnds } from '../../../bench/steady/count-ends.ts';
import { isHeld } from '../../../bench/steady/find-limit.ts';
import { type Answer, openLoad } from '../../../bench/steady/load.ts';
import { type Receiver, startReceiver } from '../../../bench/steady/receiver.ts';
import { sendByClock } from '../../../bench/steady/send-by-clock.ts';
import {
  compareEnds,
  judgeAnswerTimes,
  judgeFailures,
  judgeMemory,
  keepLowest,
} from '../../../bench/steady/verdicts.ts';

const minuteMs = 60_000;
const mb = 2 ** 20;

const answer = (change: Partial<Answer> = {}): Answer => ({
  plannedAt: 0,
  ms: 10,
  lateMs: 0,
  kind: 'home',
  ...change,
});

describe('the clock of the load', () => {
  it('sends at planned moments, also while nothing is answered', async () => {
    const planned: number[] = [];
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const sending = sendByClock({ perSecond: 500, seconds: 0.02 }, (_, plannedAt) => {
      planned.push(plannedAt);
      return answered;
    });
    await expect.poll(() => planned.length, { timeout: 30_000 }).toBe(10);
    resolve();
    await sending;
    const [first = 0] = planned;
    expect(planned.map((moment) => Math.round(moment - first))).toEqual(
      Array.from({ length: 10 }, (_, turn) => turn * 2),
    );
  });

  it('does not move the plan when it falls behind', async () => {
    const late: number[] = [];
    await sendByClock({ perSecond: 1000, seconds: 0.02 }, async (turn, plannedAt) => {
      const stopAt = performance.now() + 60;
      while (turn === 0 && performance.now() < stopAt);
      late.push(performance.now() - plannedAt);
    });
    expect(late).toHaveLength(20);
    expect(late.at(1)).toBeGreaterThan(50);
  });
});

describe('a rate', () => {
  const step = { perSecond: 8, p99: 100, failures: 0, drain: 3 };
  it.each([
    { why: 'all is well', change: {}, held: true },
    { why: 'a request failed', change: { failures: 1 }, held: false },
    { why: 'answers take long', change: { p99: 501 }, held: false },
    { why: 'jobs pile up', change: { drain: 5.1 }, held: false },
  ])('is held or not: $why', ({ change, held }) => {
    expect(isHeld({ ...step, ...change }, 3)).toBe(held);
  });
});

describe('verdicts', () => {
  it('count failures, with an example', () => {
    expect(judgeFailures([answer()]).holds).toBe(true);
    const failed = [answer(), answer({ failure: '503 from /jobs/: busy' })];
    expect(judgeFailures(failed)).toMatchObject({
      measured: '1 of 2 requests failed; 1 x 503 from /jobs/: busy',
      holds: false,
    });
  });

  it('compare the last minutes with the first after the warm-up', () => {
    const at = (minute: number, ms: number) => answer({ plannedAt: minute * minuteMs, ms });
    const answers = [at(0, 900), at(1, 100), at(5.9, 120), at(6, 700), at(24, 800), at(25, 150)];
    const times = compareEnds(answers, { began: 0, ended: 30 * minuteMs });
    expect(times).toEqual({ first: 120, last: 150 });
    expect(judgeAnswerTimes(times).holds).toBe(true);
    expect(judgeAnswerTimes({ first: 100, last: 151 }).holds).toBe(false);
    expect(judgeAnswerTimes({ first: Number.NaN, last: 1 }).holds).toBe(false);
  });

  it('never compare the same minutes of a short run', () => {
    const answers = [0.6, 1.9].map((minute) =>
      answer({ plannedAt: minute * minuteMs, ms: minute }),
    );
    const times = compareEnds(answers, { began: 0, ended: 2 * minuteMs });
    expect(times).toEqual({ first: 0.6, last: 1.9 });
  });

  const sample = (minute: number, lives: number) => ({
    minute,
    rss: 400 * mb,
    requests: 60 * mb,
    lives,
    external: 10 * mb,
  });
  const run = (minutes: number, livesAt: (minute: number) => number) =>
    Array.from({ length: minutes }, (_, index) => sample(index + 1, livesAt(index + 1)));

  it('see memory that grows in the second half, and only that', () => {
    const flatAfterWarmUp = run(30, (minute) => 20 * mb + Math.min(minute, 10) * 4 * mb);
    expect(judgeMemory(flatAfterWarmUp).holds).toBe(true);
    const growing = run(30, (minute) => 20 * mb + minute * 0.7 * mb);
    expect(judgeMemory(growing)).toMatchObject({
      measured: expect.stringContaining('lives +9.8'),
      holds: false,
    });
    expect(judgeMemory(run(9, (minute) => minute * 10 * mb)).holds).toBeUndefined();
  });

  it('take memory with garbage at its lowest, and a heap as it is', () => {
    const before = { rss: 5, requests: 2, lives: 2, external: 1 };
    const now = { rss: 4, requests: 3, lives: 3, external: 9 };
    expect(keepLowest(undefined, now)).toEqual(now);
    expect(keepLowest(before, now)).toEqual({ rss: 4, requests: 3, lives: 3, external: 1 });
  });

  const ends = {
    accepted: 10,
    settled: 10,
    lost: 0,
    doubled: 0,
    expectedPushes: 12,
    missingPushes: 0,
    forged: 0,
    accounts: 3,
    wrongAccounts: 0,
  };

  it.each([
    { change: {}, failing: [] },
    { change: { settled: 9 }, failing: ['jobs'] },
    { change: { lost: 1 }, failing: ['jobs'] },
    { change: { doubled: 1 }, failing: ['jobs'] },
    { change: { missingPushes: 1 }, failing: ['webhooks'] },
    { change: { forged: 1 }, failing: ['webhooks'] },
    { change: { wrongAccounts: 1 }, failing: ['accounts'] },
    { change: { accounts: 0 }, failing: ['accounts'] },
  ])('name what is missing in the end: $change', ({ change, failing }) => {
    const verdicts = judgeEnds({ ...ends, ...change });
    expect(verdicts.filter(({ holds }) => !holds).map(({ name }) => name)).toEqual(failing);
  });
});

describe('the receiver', () => {
  let receiver: Receiver | undefined;
  afterEach(async () => receiver?.close());

  it('remembers genuine pushes, and counts the others', async () => {
    receiver = await startReceiver();
    const own = 'a secret of 24 bytes....';
    const secret = `whsec_${Buffer.from(own).toString('base64')}`;
    receiver.expectSecret('7', secret);
    const body = JSON.stringify({ type: 'job.ended', data: { job_id: 'A' } });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const push = async (id: string, key: string) => {
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature.digest('base64')}`,
      };
      const url = receiver?.addressFor('7') ?? '';
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    expect(await push('A-ended', own)).toBe(200);
    expect(await push('A-ended', own)).toBe(200);
    expect(await push('B-ended', 'another')).toBe(400);
    expect([...receiver.arrived()]).toEqual(['A-ended']);
    expect(receiver.lastEndedOf('7')).toBe('A');
    expect(receiver.forged()).toBe(1);
  });
});

describe('the load', () => {
  let close: (() => Promise<void>) | undefined;
  afterEach(async () => close?.());

  it('sends a submission that failed again, with its key', async () => {
    const keys: unknown[] = [];
    const server = createServer((request, response) => {
      const isWebhook = request.url === '/webhooks/';
      if (!isWebhook && request.method === 'POST') keys.push(request.headers['idempotency-key']);
      // The first batch and the first job fail.
      response.writeHead(keys.length === 1 || keys.length === 2 ? 503 : 200);
      response.end(request.method === 'GET' ? '[]' : '{"secret":"s","job_id":"A","batch_id":"B"}');
    });
    const listening = await listenOnLoopback(server, 0);
    const receiver = await startReceiver();
    close = async () => {
      await listening.close();
      await receiver.close();
    };
    const authorize = () => ({ authorization: 'Bearer x' });
    const load = await openLoad({ url: listening.endpoint, authorize }, receiver);
    const answers: Answer[] = [];
    await load.play({ perSecond: 1, seconds: 1 }, (each) => void answers.push(each));
    expect(answers.filter(({ kind }) => kind === 'submit' || kind === 'batch')).toMatchObject([
      { kind: 'submit', failure: expect.stringMatching(/^503 from/) },
      { kind: 'batch', failure: expect.stringMatching(/^503 from/) },
    ]);
    expect(load.accepted).toEqual({ jobs: new Set(), batches: new Set() });
    await load.sendAgain();
    expect(load.accepted).toEqual({ jobs: new Set(['A']), batches: new Set(['B']) });
    expect(keys.slice(2)).toEqual(keys.slice(0, 2));
    expect(new Set(keys).size).toBe(2);
  });
});
