import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listJobs, pathOf, readAnswers } from './read-answers.ts';

/**
 * Makes the fixture of a release: the folder of a laptop edition after some use (`stopped`), with
 * what it answered last and its export, and that of one that was killed while jobs were submitted
 * (`killed`), with the jobs that it had accepted. Usage, with a checkout of the release in which
 * `npm ci` has run:
 *
 *     npx node test/releases/make-fixture.ts <checkout> <release>
 */
const [checkout = '', release = ''] = process.argv.slice(2);
if (release === '') throw new Error('Name a checkout and its release.');
const zip = readFileSync(join(import.meta.dirname, '../../docs/examples/job_file.zip'));
const places = mkdtempSync(join(tmpdir(), 'slipway-fixture-'));
await makeStopped(join(places, 'stopped'));
await makeKilled(join(places, 'killed'));
const archive = join(import.meta.dirname, `${release}.tgz`);
execFileSync('tar', ['-czf', archive, '-C', places, '.']);
rmSync(places, { recursive: true });

async function makeStopped(home: string): Promise<void> {
  const { child, asUser, asAdministrator } = await start(home);
  const ask = (path: string) => asUser('GET', path);
  // Release 0.1.0 has no batches.
  const hasBatches = existsSync(join(checkout, 'lib/batches'));
  const waitForAll = async () => {
    const batches = hasBatches ? await ask('/batches/') : [];
    const isOpen = ({ end_date: end }: { end_date: unknown }) => end === null;
    const some = [...(await listJobs(ask)), ...(Array.isArray(batches) ? batches : [])];
    if (!some.some(isOpen)) return;
    await sleep(500);
    await waitForAll();
  };
  const submit = openSubmit(asUser);
  await submit('hpc_one', { command: 'ls', runtime: '0.01', title: 'ended' });
  const python = { tool: 'PYTHON', init_file: 'main.py', runtime: '0.01', title: 'ended' };
  await submit('hpc_two', python);
  await waitForAll();
  await submit('hpc_one', { command: 'ls', runtime: '2', title: 'cancelled' });
  const living = (await listJobs(ask)).find(({ terminal_stage: isEnded }) => !isEnded);
  if (living) await asUser('DELETE', pathOf(living));
  const batch = { command: 'ls {index}', runtime: '0.01', title: 'a batch', count: '3' };
  if (hasBatches) await submit('hpc_one', batch, 'batches');
  await waitForAll();
  await asUser('POST', '/webhooks/', { url: 'https://example.org/', events: ['job.ended'] });
  await asAdministrator('PUT', '/admin/quotas/306328/hpc_one/proj_hpc_one_01/', {
    reason: 'a course',
    add: { time: 3600 },
    renews: { every: 'monthly', on: 1, to: { time: 7200, space: 1000 } },
  });
  const tool = ['tools/transfer/export.ts', 'tools/export.ts']
    .map((file) => join(checkout, file))
    .find(existsSync);
  const exported = execFileSync(process.execPath, [tool ?? ''], { cwd: home });
  writeFileSync(join(home, 'export.jsonl'), exported);
  // These still run when the service ends, or wait.
  const running = await submit('hpc_one', { command: 'ls', runtime: '0.4', title: 'living' });
  if (hasBatches && isJob(running)) {
    await submit('hpc_one', {
      command: 'ls',
      runtime: '0.01',
      title: 'next',
      after: running.job_id,
    });
    await submit('hpc_one', { ...batch, runtime: '0.2', max_running: '1' }, 'batches');
  }
  writeFileSync(join(home, 'answers.json'), JSON.stringify(await readAnswers(ask), null, 2));
  await end(child, 'SIGTERM');
}

async function makeKilled(home: string): Promise<void> {
  const { child, asUser } = await start(home);
  const submit = openSubmit(asUser);
  const accepted: string[] = [];
  const submitting = Array.from({ length: 4 }, async () => {
    for (;;) {
      const job = await submit('hpc_one', { command: 'ls', runtime: '0.01' });
      if (isJob(job)) accepted.push(job.job_id);
      if (accepted.length === 40) await end(child, 'SIGKILL');
    }
  });
  await Promise.allSettled(submitting);
  writeFileSync(join(home, 'accepted.json'), JSON.stringify(accepted));
}

async function start(home: string) {
  mkdirSync(home);
  const child = spawn(process.execPath, [join(checkout, 'local/start.ts')], {
    cwd: home,
    env: { PATH: process.env.PATH, PORT: '0', SYSTEMS: 'simulated' },
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let printed = '';
  const read = (piece: Buffer) => {
    printed += piece;
    if (/\/admin\/quotas\/.*\n/.test(printed)) resolve(printed);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', () => reject(new Error(printed)));
  const welcome = await promise;
  const url = /http:\/\/localhost:\d+/.exec(welcome)?.[0] ?? '';
  const [token = '', adminToken = ''] = welcome.match(/^ey\S+$/gm) ?? [];
  return { child, asUser: openCall(url, token), asAdministrator: openCall(url, adminToken) };
}

function openCall(url: string, token: string) {
  return async (
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  ): Promise<unknown> => {
    const sent = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(body && { body: sent }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

function openSubmit(call: ReturnType<typeof openCall>) {
  return (system: string, wishes: object, to = 'jobs') =>
    call('POST', `/${to}/${system}/`, zip, {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename=job_file.zip',
      payload: JSON.stringify({ node_number: '1', core_number: '1', ...wishes }),
    });
}

function isJob(answer: unknown): answer is { readonly job_id: string } {
  return typeof answer === 'object' && answer !== null && 'job_id' in answer;
}

async function end(child: ReturnType<typeof spawn>, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
