import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../fixtures/http-server.ts';
import { smoke } from '../fixtures/run-smoke.ts';
import { type RunningService, startRunningService } from '../fixtures/running-service.ts';

const user = '306328';

/** A service that answers as it is told, and 500 else. */
function startScripted(answers: Readonly<Record<string, readonly [number, unknown]>>) {
  return startServer((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [500, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}

describe('npm run smoke', () => {
  let running: RunningService;
  const token = () => running.service.issuer.issueToken({ user });
  beforeAll(async () => {
    running = await startRunningService(10);
  });
  afterAll(() => running.close());

  it('passes and prints every step on a healthy service', async () => {
    const { code, steps, stdout, stderr } = await smoke(running.service.url, await token());
    expect(stderr).toBe('');
    expect(steps).toEqual(
      ['status', 'no token', 'token', 'dry run', 'submit', 'job', 'files', 'ledger', 'delete'].map(
        (name) => `ok ${name}`,
      ),
    );
    expect(stdout).toMatch(/^ok +status .* 0\.\d+\.\d+, hpc_one \w+, hpc_two \w+$/m);
    expect(stdout).toMatch(/^ok +ledger .* 360 s held, \d+ s used$/m);
    expect(code).toBe(0);
  });

  it('runs a tool on a system that takes tools', async () => {
    const options = ['--hpc', 'hpc_two', '--program', 'NEURON74_TG'];
    const { code, stdout } = await smoke(running.service.url, await token(), ...options);
    expect(stdout).toMatch(/^ok +job .* COMPLETED$/m);
    expect(code).toBe(0);
  });

  it('fails with a token that is refused', async () => {
    const { code, steps, stdout } = await smoke(running.service.url, 'a.b.c');
    expect(steps).toEqual(['ok status', 'ok no token', 'failed token']);
    expect(stdout).toMatch(/^failed +token .* 401: .* \(request .+\)$/m);
    expect(code).toBe(1);
  });
});

describe('npm run smoke against a broken service', () => {
  it.each([
    { what: 'down', answers: { '/status/': [200, { status: 'down', version: '', systems: [] }] } },
    {
      what: 'away',
      answers: {
        '/status/': [
          503,
          {
            type: 'about:blank',
            status: 503,
            title: 'The service is down',
            detail: 'Try again later.',
          },
        ],
      },
    },
  ] as const)('fails at the status of one that is $what', async ({ answers }) => {
    const { code, steps } = await smoke(await startScripted(answers), 'a.b.c');
    expect(steps).toEqual(['failed status']);
    expect(code).toBe(1);
  });

  it('fails if the service lets everybody in', async () => {
    const answers = {
      '/status/': [200, { status: 'up', version: '0.1.0', systems: [] }],
      '/jobs/': [200, []],
    } as const;
    const { code, stdout, steps } = await smoke(await startScripted(answers), 'a.b.c');
    expect(steps).toEqual(['ok status', 'failed no token']);
    expect(stdout).toContain('A request without a token was answered.');
    expect(code).toBe(1);
  });

  it.each([
    { options: ['--seconds', '0'], told: '--seconds must be a whole number' },
    { options: ['--seconds', 'soon'], told: '--seconds must be a whole number' },
  ])('says what is wrong with $options', async ({ options, told }) => {
    const { code, stderr } = await smoke('http://127.0.0.1:9', 'a.b.c', ...options);
    expect(stderr).toContain(told);
    expect(code).toBe(1);
  });

  it('asks for a token', async () => {
    const { code, stderr } = await smoke('http://127.0.0.1:9', '');
    expect(stderr).toBe('No token. Set SLIPWAY_TOKEN to the token of a user.\n');
    expect(code).toBe(1);
  });
});
