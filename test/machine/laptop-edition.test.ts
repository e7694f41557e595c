import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildZip } from '../fixtures/build-zip.ts';
import { type Edition, end, type Home, openHome } from '../fixtures/edition.ts';
import { pollUntil } from '../slurm/poll-until.ts';
import { Researcher } from '../slurm/researcher.ts';

const deadlineSeconds = 120;
const user = '306328';
const environment = { SYSTEMS: 'machine' };

interface JobBody {
  readonly job_id: string;
  readonly stage: string;
  readonly failed: boolean;
  readonly terminal_stage: boolean;
}

const findPrime = `
const wanted = Number(process.argv[2]);
let found = 0;
let number = 1;
while (found < wanted) {
  number += 1;
  let isPrime = true;
  for (let d = 2; d * d <= number; d += 1) if (number % d === 0) { isPrime = false; break; }
  if (isPrime) found += 1;
}
require('node:fs').writeFileSync('prime.txt', String(number));
`;

function signIn({ url, token }: Edition): Researcher {
  return new Researcher({ url, token, user });
}

function waitForEnd(ada: Researcher, path: string): Promise<JobBody> {
  return pollUntil(`${path} ends`, deadlineSeconds, async () => {
    const job = await ada.read<JobBody>(path);
    return job.terminal_stage ? job : undefined;
  });
}

async function runJob(ada: Researcher, command: string, wishes = {}) {
  const { path, body } = await ada.submit(command, { runtime: 0.01, ...wishes });
  const { stage, failed } = await waitForEnd(ada, path);
  const { reason } = await ada.readTimeline(path);
  return { path, jobId: body.job_id, stage, failed, reason };
}

function readExit(home: Home, jobId: string): { code: number; seconds: number } {
  const folder = join(realpathSync(home.path), '.slipway/data/jobs/hpc_one', jobId);
  return JSON.parse(readFileSync(join(folder, 'exit.json'), 'utf8'));
}

describe('the machine that the laptop edition runs on', () => {
  const home = openHome(afterAll);
  let first: Edition;
  beforeAll(async () => {
    first = await home.start(environment);
  });

  it('computes, and says how jobs ended, what they cost and what they wrote', async () => {
    const ada = signIn(first);
    const before = await ada.readTimeLeft();
    const zip = buildZip([{ name: 'prime.cjs', content: findPrime }]);
    const [prime, three, missing, unknown] = await Promise.all([
      runJob(ada, 'node prime.cjs 10000 && echo "found it"', { zip }),
      runJob(ada, 'echo lost >&2; exit 3'),
      runJob(ada, 'no-such-command --now'),
      submitTool(first, 'NEURON74_TG').then((path) => waitForEnd(ada, path)),
    ]);

    expect(prime).toMatchObject({ stage: 'SUCCESSFUL', failed: false });
    const files = await ada.listFiles(prime.path);
    expect(files.map(({ filename }) => filename)).toEqual([
      'prime.cjs',
      'prime.txt',
      'stderr',
      'stdout',
    ]);
    const written = files.find(({ filename }) => filename === 'prime.txt');
    expect(String(await ada.fetchFile(prime.path, written?.fileid ?? ''))).toBe('104729');
    expect(String(await ada.fetchFile(prime.path, 'stdout'))).toBe('found it\n');

    expect(three).toMatchObject({
      stage: 'FAILED',
      failed: true,
      reason: 'The command ended with exit code 3.',
    });
    expect(missing).toMatchObject({ stage: 'FAILED', failed: true });
    expect(missing.reason).toContain('The command was not found: exit code 127.');
    expect(String(await ada.fetchFile(missing.path, 'stderr'))).toContain('no-such-command');
    expect(unknown).toMatchObject({ stage: 'COMPLETED', failed: true });
    const { reason } = await ada.readTimeline(`/jobs/hpc_two/proj_hpc_two_01/${unknown.job_id}/`);
    expect(reason).toContain("There is no tool 'NEURON74_TG'. Choose one of: SHELL, NODE");
    expect(await ada.readTimeLeft('hpc_two')).toBe(18_000_000);

    const used = [prime, three, missing].map(({ jobId }) => readExit(home, jobId).seconds);
    const charged = (before ?? 0) - ((await ada.readTimeLeft()) ?? 0);
    const sum = used.reduce((total, seconds) => total + seconds, 0);
    expect(charged - sum).toBeGreaterThanOrEqual(0);
    expect(charged - sum).toBeLessThan(used.length);

    const folder = join(home.path, '.slipway/data/jobs/hpc_one', prime.jobId);
    expect(existsSync(folder)).toBe(true);
    await ada.cancel(prime.path);
    expect(existsSync(folder)).toBe(false);
  });

  it('ends jobs with their true codes though the service is killed, and runs none twice', async () => {
    const marks = join(home.path, 'marks');
    const jobs = await Promise.all(
      Array.from({ length: 10 }, (_, code) =>
        signIn(first).submit(`echo ${code} >> ${marks}; sleep 0.4; exit ${code}`, {
          runtime: 0.01,
        }),
      ),
    );
    const large = await signIn(first).submit('echo $SLIPWAY_CORES $SLIPWAY_NODES', {
      nodes: 2,
      cores: Math.max(6, availableParallelism()),
    });
    const waited = await pollUntil('the large job waits', deadlineSeconds, async () => {
      const { reason } = await signIn(first).readTimeline(large.path);
      return reason?.startsWith('waiting for') ? reason : undefined;
    });
    expect(waited).toMatch(/^waiting for (\d+) of \1 cores$/);
    await end(first.child, 'SIGKILL');

    const second = await home.start(environment);
    const ada = signIn(second);
    const ends = await Promise.all(jobs.map(({ path }) => waitForEnd(ada, path)));
    expect(ends.map(({ failed }) => failed)).toEqual(jobs.map((_, code) => code > 0));
    for (const [code, { job_id: jobId }] of ends.entries()) {
      const exit = readExit(home, jobId);
      expect(exit).toMatchObject({ cause: 'ended', code, signal: null });
      expect(exit.seconds).toBeGreaterThanOrEqual(0.4);
    }
    const started = readFileSync(marks, 'utf8').trim().split('\n').map(Number);
    expect(started.toSorted((a, b) => a - b)).toEqual(jobs.map((_, code) => code));
    await waitForEnd(ada, large.path);
    const [, cores = ''] = /of (\d+) cores/.exec(waited) ?? [];
    expect(String(await ada.fetchFile(large.path, 'stdout'))).toBe(`${cores} 2\n`);
    expect(readdirSync(join(home.path, '.slipway/data/jobs/.active'))).toEqual([]);
    await end(second.child, 'SIGTERM');
  });
});

async function submitTool({ url, token }: Edition, tool: string): Promise<string> {
  const payload = { tool, node_number: '1', core_number: '1', runtime: '0.1' };
  const response = await fetch(`${url}/jobs/hpc_two/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-disposition': 'attachment; filename=job_file.zip',
      payload: JSON.stringify(payload),
    },
  });
  expect(response.status).toBe(201);
  return new URL(response.headers.get('location') ?? '').pathname;
}
