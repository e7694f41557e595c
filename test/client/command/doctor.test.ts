import { describe, expect, it } from 'vitest';
import manifest from '../../../client/package.json' with { type: 'json' };
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const balance = { granted: 18_000_000, left: 17_992_800, held: 7_200, used: 0 };
const usage = {
  time: balance,
  space: { granted: 10_000_000, left: 9_900_000, held: 100_000, used: 0 },
  living_jobs: 2,
  valid_until: null,
  renews: null,
  banned: null,
};
const quota = { user: '306328', project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01', usage };
const up = { name: 'hpc_one', project_hpc: 'HPC_ONE', status: 'up', charging: 'node' };

interface Service {
  readonly quotas?: readonly object[];
  readonly version?: string;
  readonly system?: object;
  /** Seconds that its clock is ahead. */
  readonly ahead?: number;
}

/** Examines a service like this, with a token that is valid for so many seconds. */
async function examine({ quotas = [quota], ...service }: Service = {}, seconds = 7_200) {
  const { version = `${manifest.version}+771cafa`, system = up, ahead = 0 } = service;
  const answers: Readonly<Record<string, unknown>> = {
    '/status/': { status: 'up', version, systems: [system] },
    '/hpc/': [system],
    '/projects/': [{ ...quota, max_living_jobs: 10_000 }],
    '/quotas/?expand=usage': quotas,
  };
  const url = await startServer(({ url: path = '' }, response) => {
    const date = new Date(Date.now() + ahead * 1000).toUTCString();
    response.writeHead(200, { 'content-type': 'application/json', date });
    response.end(JSON.stringify(answers[path] ?? []));
  });
  const exp = Math.floor(Date.now() / 1000) + seconds;
  const claims = Buffer.from(JSON.stringify({ sub: 'ada', exp })).toString('base64url');
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: `a.${claims}.c` };
  const { code, out } = await openCommandHome().run(['doctor'], { environment });
  const lines = out.trimEnd().split('\n');
  return { code, lines, of: (check: string) => lines.find((line) => line.includes(check)) ?? '' };
}

describe('slipway doctor', () => {
  it('shows that all is well', async () => {
    const { code, lines, of } = await examine();
    expect(code).toBe(0);
    expect(lines.filter((line) => line.startsWith('✔ ok'))).toHaveLength(6);
    expect(of('sign-in')).toMatch(/306328 \(by SLIPWAY_TOKEN\), for another (2 h|1 h 59 min)/);
    expect(of('limits')).toContain(
      'proj_hpc_one_01: 4,998 of 5,000 node-hours, 9.9 GB of 10 GB, 2 of 10,000 active jobs',
    );
    expect(lines.at(-1)).toBe('All is well.');
  });

  it.each<[string, Service, number, string, string]>([
    ['another version', { version: '0.9.0' }, 0, 'version', 'the service has 0.9.0'],
    ['a clock that is slow', { ahead: 120 }, 0, 'clock', 'behind the service'],
    ['a clock that is wrong', { ahead: -7200 }, 3, 'clock', 'ahead of the service'],
    ['a system that is down', { system: { ...up, status: 'down' } }, 0, 'systems', 'hpc_one'],
    ['no quota', { quotas: [] }, 0, 'limits', 'you have no quota'],
    [
      'a ban',
      { quotas: [{ ...quota, usage: { ...usage, banned: 'coins' } }] },
      0,
      'limits',
      'proj_hpc_one_01',
    ],
    [
      'a quota with little left',
      { quotas: [{ ...quota, usage: { ...usage, time: { ...balance, left: 1 } } }] },
      0,
      'limits',
      'proj_hpc_one_01',
    ],
  ])('reports %s and what to do', async (_, service, exit, check, words) => {
    const { code, lines, of } = await examine(service);
    expect(code).toBe(exit);
    expect(of(check)).toMatch(exit === 0 ? /^! warning/ : /^✘ failed/);
    expect(of(check)).toContain(words);
    expect(lines[lines.indexOf(of(check)) + 1]).toMatch(/^ {21}\S/);
    expect(lines.at(-1)).toBe(exit === 0 ? 'It works, with 1 warning.' : '1 check failed.');
  });

  it('warns of a token that ends soon', async () => {
    const { of, lines } = await examine({}, 60);
    expect(of('sign-in')).toMatch(/^! warning.* for another/);
    expect(lines.join()).toContain('Set a fresh token soon.');
  });

  it('stops where the rest would fail for the same reason', async () => {
    const home = openCommandHome();
    const nobody = await home.run(['doctor']);
    expect(nobody).toMatchObject({ code: 3, out: expect.stringContaining('not signed in') });
    const url = await startServer((request) => request.socket.destroy());
    const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
    const away = await home.run(['doctor', '--json'], { environment });
    expect(away.code).toBe(4);
    expect(JSON.parse(away.out)).toMatchObject([{ check: 'address', state: 'failed' }]);
  });
});
