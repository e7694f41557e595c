import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, type ClientRequest, request as sendHttp } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openIssuer } from '#local/issuer.ts';
import { catalogFile } from '../fixtures/catalog.ts';
import { type Home, openHome } from '../fixtures/edition.ts';
import { emptyZip } from '../fixtures/zip.ts';
import { type KeptSocket, keepSocket } from './kept-socket.ts';

const hasActivation = spawnSync('systemd-socket-activate', ['--version']).status === 0;

if (!hasActivation) {
  process.stdout.write('Restarts cannot be tried: they take systemd-socket-activate.\n');
}

const timeout = 120_000;

/** Answers between two restarts. */
const enough = 200;

interface Answered {
  readonly status: number;
  readonly body: string;
}

function open(
  address: string,
  options: { method: string; headers: Record<string, string>; agent: Agent | false },
): { readonly sent: ClientRequest; readonly answered: Promise<Answered> } {
  const { promise: answered, resolve, reject } = Promise.withResolvers<Answered>();
  const sent = sendHttp(address, options, (response) => {
    text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
  });
  sent.on('error', reject);
  return { sent, answered };
}

const payload = JSON.stringify({
  command: 'true',
  node_number: 1,
  core_number: 1,
  runtime: 0.01,
  title: 'meanwhile',
});

/** Sends one request after the other until told to stop: a list, a submission, a list, and so on. */
async function askOn(
  url: string,
  token: string,
  agent: Agent | false,
  until: AbortSignal,
  answers: { count: number },
): Promise<{ readonly wrong: readonly string[]; readonly pause: number }> {
  const wrong: string[] = [];
  let pause = 0;
  for (let submits = false; !until.aborted; submits = !submits) {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(submits && { 'content-disposition': 'attachment; filename=a.zip', payload }),
    };
    const start = performance.now();
    const place = submits ? `${url}/jobs/hpc_one/` : `${url}/quotas/`;
    const { sent, answered } = open(place, { method: submits ? 'POST' : 'GET', headers, agent });
    sent.end(submits ? emptyZip : undefined);
    const { status, body } = await answered.catch((error) => ({ status: 0, body: String(error) }));
    answers.count += 1;
    pause = Math.max(pause, performance.now() - start);
    if (status !== (submits ? 201 : 200)) wrong.push(`${status} ${body}`);
  }
  return { wrong, pause };
}

function issueToken(home: Home): string {
  return openIssuer(join(home.path, '.slipway')).issueToken({ user: '306328' });
}

const hasEnded = (pid: number) => {
  try {
    // A process that has ended stays a zombie until its parent asks.
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
};

async function waitUntilUp({ url }: KeptSocket): Promise<void> {
  const { status } = await fetch(`${url}/status/`);
  expect(status).toBe(200);
}

describe.runIf(hasActivation)('a restart with a socket that systemd keeps', () => {
  it('refuses nobody, while requests come without a pause', { timeout }, async () => {
    const home = openHome();
    const socket = await keepSocket(home, { CATALOG: catalogFile, CALLER_RATE: 'off' });
    let pid = await socket.startService();
    await waitUntilUp(socket);
    const token = issueToken(home);
    const over = new AbortController();
    // Of many kept connections, some have a request on its way when the service is told to stop.
    const kept = Array.from({ length: 16 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const agents = [...kept, false, false, false, false] as const;
    const answers = { count: 0 };
    const load = agents.map((agent) => askOn(socket.url, token, agent, over.signal, answers));
    const restarts = 3;
    for (let restart = 1; restart <= restarts; restart += 1) {
      await expect.poll(() => answers.count, { timeout }).toBeGreaterThan(restart * enough);
      const former = pid;
      pid = await socket.startService();
      const waiting = () => socket.readPrinted().match(/^Waiting for the service/gm)?.length;
      await expect.poll(waiting, { timeout }).toBe(restart);
      process.kill(former, 'SIGTERM');
      await expect.poll(() => hasEnded(former), { timeout }).toBe(true);
      await waitUntilUp(socket);
    }
    await expect.poll(() => answers.count, { timeout }).toBeGreaterThan((restarts + 1) * enough);
    over.abort();
    const told = await Promise.all(load);
    const wrong = told.flatMap((each) => each.wrong);
    const pause = Math.max(...told.map((each) => each.pause));
    process.stdout.write(
      `${restarts} restarts: ${wrong.length} of ${answers.count} requests refused, longest answer ${(pause / 1000).toFixed(1)} s\n`,
    );
    expect(wrong).toEqual([]);
  });

  it('answers what has begun', { timeout }, async () => {
    const home = openHome();
    const socket = await keepSocket(home, { CATALOG: catalogFile });
    const former = await socket.startService();
    await waitUntilUp(socket);
    const { sent, answered } = open(`${socket.url}/jobs/hpc_one/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${issueToken(home)}`,
        'content-disposition': 'attachment; filename=a.zip',
        payload,
      },
      agent: false,
    });
    sent.write(emptyZip.subarray(0, 10));
    await fetch(`${socket.url}/status/`);
    process.kill(former, 'SIGTERM');
    const noted = join(home.path, '.slipway/running', `${former}.json`);
    await expect.poll(() => existsSync(noted), { timeout }).toBe(false);
    sent.end(emptyZip.subarray(10));
    expect((await answered).status).toBe(201);
    await expect.poll(() => hasEnded(former), { timeout }).toBe(true);
  });
});
