import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listJobs, pathOf, readAnswers } from './read-answers.ts';

/**
 * Makes the fixture of a release: the folder of a laptop edition after some use, and what it
 * answered last. Usage, with a checkout of the release in which `npm ci` has run:
 *
 *     npx node test/releases/make-fixture.ts <checkout> <release>
 */
const [checkout = '', release = ''] = process.argv.slice(2);
if (release === '') throw new Error('Name a checkout and its release.');
const home = mkdtempSync(join(tmpdir(), 'slipway-fixture-'));
const child = spawn(process.execPath, [join(checkout, 'local/start.ts')], {
  cwd: home,
  env: { PATH: process.env.PATH, PORT: '0', SYSTEMS: 'simulated' },
});
const welcome = await readWelcome();
const url = /http:\/\/localhost:\d+/.exec(welcome)?.[0] ?? '';
const [token = '', adminToken = ''] = welcome.match(/^ey\S+$/gm) ?? [];
const ask = (path: string) => call(token, 'GET', path);
const zip = readFileSync(join(import.meta.dirname, '../../docs/examples/job_file.zip'));

await submit('hpc_one', { command: 'ls', runtime: '0.01', title: 'ended' });
await submit('hpc_two', { tool: 'PYTHON', init_file: 'main.py', runtime: '0.01', title: 'ended' });
await waitForAll();
await submit('hpc_one', { command: 'ls', runtime: '2', title: 'cancelled' });
const living = (await listJobs(ask)).find(({ terminal_stage: isEnded }) => !isEnded);
if (living) await call(token, 'DELETE', pathOf(living));
await waitForAll();
await call(token, 'POST', '/webhooks/', { url: 'https://example.org/', events: ['job.ended'] });
await call(adminToken, 'PUT', '/admin/quotas/306328/hpc_one/proj_hpc_one_01/', {
  reason: 'a course',
  add: { time: 3600 },
  renews: { every: 'monthly', on: 1, to: { time: 7200, space: 1000 } },
});
// Still runs when the service ends.
await submit('hpc_one', { command: 'ls', runtime: '2', title: 'living' });
writeFileSync(join(home, 'answers.json'), JSON.stringify(await readAnswers(ask), null, 2));
const exited = once(child, 'exit');
child.kill('SIGTERM');
await exited;
const archive = join(import.meta.dirname, `${release}.tgz`);
execFileSync('tar', ['-czf', archive, '-C', home, '.']);
rmSync(home, { recursive: true });

async function readWelcome(): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  const read = (piece: Buffer) => {
    text += piece;
    if (/\/admin\/quotas\/.*\n/.test(text)) resolve(text);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', () => reject(new Error(text)));
  return promise;
}

async function submit(system: string, wishes: object): Promise<void> {
  await call(token, 'POST', `/jobs/${system}/`, zip, {
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename=job_file.zip',
    payload: JSON.stringify({ node_number: '1', core_number: '1', ...wishes }),
  });
}

async function waitForAll(): Promise<void> {
  while ((await listJobs(ask)).some(({ terminal_stage: isEnded }) => !isEnded)) await sleep(500);
}

async function call(
  as: string,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Promise<unknown> {
  const sent = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${as}` },
    ...(body && { body: sent }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
