import { spawn } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { catalogFile } from '../fixtures/catalog.ts';
import {
  type Edition,
  end,
  type Home,
  openHome,
  projectRoot,
  readToEnd,
} from '../fixtures/edition.ts';
import { submitTo } from '../fixtures/service.ts';
import { recordRun } from '../setup/record-run.ts';

const disasters = Number(process.env.DISASTERS ?? 5);
const jobsEach = 300;
const atOnce = 8;
const fencedExitCode = 78;
const simulated = { SIM_HOUR_SECONDS: '0.5' };

const began = performance.now();
const seen = { jobs: 0, accepted: 0, upSeconds: [] as number[] };

/** Two machines, and a folder that both of them reach. */
function openPair() {
  const [old, standby, shared] = [openHome(), openHome(), openHome()];
  const place = join(shared.path, 'replica');
  const environment = { ...simulated, REPLICA_DIR: place };
  return { old, standby, place, start: (home: Home) => home.start(environment), environment };
}

type Pair = ReturnType<typeof openPair>;

async function runTool(home: Home, file: string, args: readonly string[], input = '') {
  const child = spawn(process.execPath, [join(projectRoot, file), ...args], {
    cwd: home.path,
    env: { PATH: process.env.PATH, CATALOG: catalogFile },
  });
  child.stdin.end(input);
  return readToEnd(child);
}

const restore = (home: Home, place: string, ...options: string[]) =>
  runTool(home, 'tools/backup/restore-replica.ts', ['--from', place, ...options]);

/** Key and files come by other ways than the table: rsync, or S3. */
function carryFiles({ old, standby }: Pair): void {
  for (const name of ['issuer-key.pem', 'key', 'data/files']) {
    const from = join(old.path, '.slipway', name);
    cpSync(from, join(standby.path, '.slipway', name), { recursive: true, errorOnExist: false });
  }
}

async function waitForReplica(home: Home, place: string): Promise<void> {
  await vi.waitUntil(async () => (await restore(home, place, '--check')).code === 0, {
    timeout: 60_000,
    interval: 200,
  });
}

/** Submits with keys, until all were accepted or the service is gone. */
async function submitAll(edition: Edition, keys: readonly string[], accepted: Map<string, string>) {
  const waiting = keys.filter((key) => !accepted.has(key));
  let isGone = false;
  const submitOn = async () => {
    for (let key = waiting.shift(); key && !isGone; key = waiting.shift()) {
      const headers = { 'idempotency-key': key };
      const answer = await submitTo(edition.url, edition.token, { title: key }, headers).catch(
        () => undefined,
      );
      if (!answer) isGone = true;
      else if (answer.status === 201) accepted.set(key, answer.body.job_id);
      else throw new Error(JSON.stringify(answer.body));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, submitOn));
}

async function listJobs({ url, token }: Edition): Promise<{ job_id: string; title: string }[]> {
  const jobs: { job_id: string; title: string }[] = [];
  let next: string | undefined = `${url}/jobs/hpc_one/?limit=100`;
  while (next !== undefined) {
    const response: Response = await fetch(next, { headers: { authorization: `Bearer ${token}` } });
    jobs.push(...JSON.parse(await response.text()));
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return jobs;
}

it.each(Array.from({ length: disasters }, (_, at) => at + 1))(
  'goes on elsewhere when a machine is lost under load, with its disk: %i',
  async (round) => {
    const pair = openPair();
    const { old, standby, place } = pair;
    const first = await pair.start(old);
    await waitForReplica(standby, place);
    const keys = Array.from({ length: jobsEach }, (_, at) => `key-${round}-${at}`);
    const accepted = new Map<string, string>();
    const submitting = submitAll(first, keys, accepted);
    const due = jobsEach / 4 + Math.random() * (jobsEach / 2);
    await vi.waitUntil(() => accepted.size > due, { timeout: 120_000, interval: 2 });
    await end(first.child, 'SIGKILL');
    const lostAt = performance.now();
    await submitting;
    carryFiles(pair);
    rmSync(join(old.path, '.slipway/data'), { recursive: true });

    const restored = await restore(standby, place);
    expect(restored.code, restored.text).toBe(0);
    const second = await pair.start(standby);
    const upSeconds = (performance.now() - lostAt) / 1000;
    const ids = [...accepted.values()];
    const known = await runTool(standby, 'tools/backup/restore-unknown.ts', [], ids.join('\n'));
    expect(known.text).toContain(`${ids.length} named, 0 unknown`);
    // What was not answered is sent again with its key, and may be there already.
    await submitAll(second, keys, accepted);
    const jobs = await listJobs(second);
    expect(jobs.map(({ title }) => title).sort()).toEqual([...keys].sort());
    expect(new Set(jobs.map(({ job_id }) => job_id))).toEqual(new Set(accepted.values()));
    await vi.waitUntil(async () => (await listActive(second)) === 0, {
      timeout: 120_000,
      interval: 500,
    });
    const accounts = await runTool(standby, 'tools/reconcile/reconcile.ts', []);
    expect(accounts.text).toContain(' 0 wrong');
    process.stdout.write(
      `${ids.length} accepted before the loss, and none lost; answers after ${upSeconds.toFixed(1)} s\n`,
    );
    seen.jobs += jobs.length;
    seen.accepted += ids.length;
    seen.upSeconds.push(upSeconds);
    await end(second.child, 'SIGTERM');
  },
  900_000,
);

async function listActive({ url, token }: Edition): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/jobs/hpc_one/?terminal=false&limit=1`, { headers });
  const found: unknown[] = JSON.parse(await response.text());
  return found.length;
}

it('keeps the old machine from coming back, frozen or restarted, until it follows the new one', async () => {
  const pair = openPair();
  const { old, standby, place } = pair;
  const first = await pair.start(old);
  await waitForReplica(standby, place);
  const accepted = new Map<string, string>();
  await submitAll(first, ['before'], accepted);
  await delay(1500);
  first.child.kill('SIGSTOP');
  const late = submitTo(first.url, first.token, { title: 'late' }).catch(() => undefined);
  carryFiles(pair);
  const restored = await restore(standby, place);
  expect(restored.code, restored.text).toBe(0);
  const second = await pair.start(standby);
  await submitAll(second, ['after'], accepted);
  const told = readToEnd(first.child);
  first.child.kill('SIGCONT');
  const thawedAt = performance.now();
  const { code, text } = await told;
  const endedAfter = performance.now() - thawedAt;
  expect({ code, text }).toEqual({
    code: fencedExitCode,
    text: expect.stringContaining('has taken over this service'),
  });
  expect(endedAfter).toBeLessThan(10_000);
  expect(await late).toBeUndefined();
  const again = await readToEnd(old.run(pair.environment));
  expect(again).toEqual({
    code: fencedExitCode,
    text: expect.stringContaining('has taken over this service'),
  });
  expect((await listJobs(second)).map(({ title }) => title).sort()).toEqual(['after', 'before']);

  // The way back: the repaired machine takes over in turn, from a service that ended by itself.
  await submitAll(second, ['last'], accepted);
  await end(second.child, 'SIGTERM');
  rmSync(join(old.path, '.slipway/data/dynamodb'), { recursive: true });
  const back = await restore(old, place);
  expect(back.code, back.text).toBe(0);
  const third = await pair.start(old);
  expect((await listJobs(third)).map(({ title }) => title).sort()).toEqual([
    'after',
    'before',
    'last',
  ]);
  expect((await readToEnd(standby.run(pair.environment))).code).toBe(fencedExitCode);
  expect(
    readdirSync(place)
      .filter((name) => name.startsWith('00000'))
      .at(-1),
  ).toMatch(/^000003-/);
  await end(third.child, 'SIGTERM');
});

it('says that a replica is old, or that there is none', async () => {
  const { old, place, start } = openPair();
  expect(await restore(old, place, '--check')).toMatchObject({
    code: 1,
    text: expect.stringContaining('does not hold a replica'),
  });
  const { child } = await start(old);
  await waitForReplica(old, place);
  await end(child, 'SIGTERM');
  await delay(1500);
  expect(await restore(old, place, '--check', '--max-age', '1')).toMatchObject({
    code: 1,
    text: expect.stringContaining('too old'),
  });
});

afterAll(() => {
  if (seen.upSeconds.length < disasters) return;
  recordRun({
    suite: 'standby',
    tried: [
      { unit: 'jobs of services that lost their machine', tried: seen.jobs, survived: seen.jobs },
    ],
    figures: [
      `${disasters} machines lost`,
      `${seen.accepted} jobs accepted before, none of them missing on the standby`,
      `the standby answers after ${Math.max(...seen.upSeconds).toFixed(1)} s at most`,
    ],
    seconds: (performance.now() - began) / 1000,
  });
});
