import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { type Service, startService } from '#local/start-service.ts';
import { projectRoot } from '../fixtures/edition.ts';
import { get } from '../fixtures/service.ts';

/** On hpc_one, jobs run as the account in a claim. */
vi.mock('#test/fixtures/chosen-systems.ts', async () => {
  const { catalog } = await import('#test/fixtures/catalog.ts');
  const accountClaim = { name: 'mail', pattern: '([a-z0-9.]+)@example\\.org' };
  const systems = catalog.systems.map((system, index) => ({
    ...system,
    ...(index === 0 && { runsAs: 'mapped', accountClaim }),
  }));
  return { chosenSystems: () => systems };
});

const users = 100;
const deadlineMs = 580_000;
const project = 'proj_hpc_one_01';

let directory: string;
let service: Service;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-'));
  const folder = join(directory, 'hooks');
  const bin = join(directory, 'bin');
  for (const each of [folder, bin]) mkdirSync(each, { mode: 0o755 });
  copyFileSync(join(projectRoot, 'test/fixtures/sacctmgr'), join(bin, 'sacctmgr'));
  const example = readFileSync(join(projectRoot, 'docs/examples/hooks/slurm-associations'), 'utf8');
  const program = join(folder, 'slurm-associations');
  writeFileSync(program, example.replace('{"mahti"}', '{"hpc_one"}'), { mode: 0o755 });
  const [, names = ''] = /^ {4}(project\.opened .*)$/m.exec(example) ?? [];
  for (const name of names.split(' ')) symlinkSync(program, join(folder, name));
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory: directory,
    hooksDirectory: folder,
    runsJobs: true,
  });
}, 120_000);
afterAll(async () => {
  await service.close();
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

/** The lines of a file of the imitation: accounts, associations, or the settings of an account. */
function readLines(name: string): string[] {
  const path = join(directory, 'bin', name);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

function untilLines(name: string, expected: (lines: string[]) => void): Promise<void> {
  return vi.waitFor(() => expected(readLines(name)), { timeout: deadlineMs, interval: 500 });
}

const tokenOf = (user: number, mail = `u.${user}@example.org`) =>
  service.issuer.issueToken({ user: String(user), claims: { mail } });

async function send(method: string, path: string, body?: object) {
  const token = service.issuer.issueToken({ user: '100001', administrator: true });
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect([200, 201]).toContain(response.status);
}

async function submit(token: string) {
  const payload = { command: 'ls', node_number: 1, core_number: 1, runtime: 0.5 };
  const response = await fetch(`${service.url}/jobs/hpc_one/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-disposition': 'attachment; filename=a.zip',
      payload: JSON.stringify(payload),
    },
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe('the hook of docs/hooks.md, before an imitation of sacctmgr', () => {
  it('associates 100 users whose accounts nobody entered, as they first come', async () => {
    const numbers = Array.from({ length: users }, (_, index) => index + 1);
    await mapInParallel(numbers, 8, async (user) => {
      expect((await get(`${service.url}/quotas/`, tokenOf(user))).status).toBe(200);
    });
    await untilLines('associations', (lines) => expect(lines).toHaveLength(users));
    expect(readLines('accounts')).toEqual([project]);
    expect(readLines('associations').sort()).toEqual(
      numbers.map((user) => `u.${user} ${project}`).sort(),
    );
  }, 600_000);

  it('lets them submit, and refuses in words whom no account fits', async () => {
    expect((await submit(tokenOf(1))).status).toBe(201);
    const refused = async (mail: string) => {
      const { status, body } = await submit(tokenOf(9001, mail));
      return [status, body.detail];
    };
    const ask = 'Ask an administrator to add one for user 9001.';
    expect(await refused('root@example.org')).toEqual([
      403,
      `You have no account on hpc_one yet: your sign-in names 'root@example.org', which is not a name of an account there. ${ask}`,
    ]);
    expect(await refused('u.1@example.org')).toEqual([
      403,
      `You have no account on hpc_one yet: your sign-in names 'u.1', which belongs to another user of this service. ${ask}`,
    ]);
  });

  it('opens, limits and closes an account with its project, and follows its members', async () => {
    const path = '/admin/projects/hpc_one/lab_42/';
    const quota = '/admin/quotas/1/hpc_one/lab_42/';
    const reason = 'a lab';
    await send('PUT', path, { reason });
    await send('PUT', `${path}budget/`, { set: { time: 36_000, space: 10 }, reason });
    await send('PUT', quota, { set: { time: 60, space: 0 }, reason });
    await untilLines('accounts.lab_42', (lines) =>
      expect(lines.sort()).toEqual(['GrpSubmitJobs=-1', 'GrpTRESMins=node=600']),
    );
    await untilLines('associations', (lines) => expect(lines).toContain('u.1 lab_42'));
    await send('DELETE', `${quota}?reason=left`);
    await untilLines('associations', (lines) => expect(lines).not.toContain('u.1 lab_42'));
    await send('DELETE', `${path}?reason=over`);
    await untilLines('accounts.lab_42', (lines) => expect(lines).toContain('GrpSubmitJobs=0'));
  });

  it('notes every run in its log, none of which failed', () => {
    const log = readFileSync(join(directory, 'hooks.log'), 'utf8').trim().split('\n');
    const runs = log.map((line) => JSON.parse(line));
    expect(runs.filter(({ state }) => state !== 'delivered')).toEqual([]);
    const joined = runs.filter(
      ({ type, queue }) => type === 'member.joined' && queue.startsWith('hpc_one/'),
    );
    expect(joined.length).toBeGreaterThanOrEqual(users);
  });
});
