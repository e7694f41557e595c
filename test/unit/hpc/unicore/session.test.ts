import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, keepCredentials, openUnicore, tag } from './open-unicore.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openUnicore();
});
afterEach(() => bench.server.close());

describe('credentials', () => {
  const proofsOf = ({ server }: Bench) =>
    server.requests.map(({ headers }) =>
      headers['x-unicore-securitysession'] ? 'session' : headers.authorization,
    );

  it('are shown once; a session stands for them', async () => {
    await bench.connector.checkHealth();
    await bench.connector.checkHealth();
    expect(proofsOf(bench)).toEqual(['Bearer right', 'session']);
  });

  it('are shown again when the session is forgotten (432)', async () => {
    await bench.connector.checkHealth();
    bench.server.forgetSessions();
    await bench.connector.checkHealth();
    await bench.connector.checkHealth();
    expect(proofsOf(bench)).toEqual(['Bearer right', 'session', 'Bearer right', 'session']);
  });

  it('are shown until a new session is given', async () => {
    await bench.connector.checkHealth();
    bench.server.failNext(/GET/, { status: 432 });
    bench.server.failNext(/GET/, { status: 200 });
    await bench.connector.checkHealth();
    await bench.connector.checkHealth();
    const proofs = ['Bearer right', 'session', 'Bearer right', 'Bearer right'];
    expect(proofsOf(bench)).toEqual(proofs);
  });

  it('are not shown for ever (432 to credentials)', async () => {
    bench.server.failNext(/GET/, { status: 432 }, 9);
    await expect(bench.connector.checkHealth()).rejects.toMatchObject({
      name: 'SystemUnavailableError',
    });
    expect(bench.server.requests).toHaveLength(1);
  });

  it('may be a name and a password', async () => {
    bench.server.close();
    bench = await openUnicore(keepCredentials({ username: 'ada', password: 'ü' }));
    bench.server.authorization = `Basic ${Buffer.from('ada:ü').toString('base64')}`;
    await expect(bench.connector.checkHealth()).resolves.toBeUndefined();
  });

  it('are read again after a refusal, once', async () => {
    bench.server.close();
    bench = await openUnicore(keepCredentials({ token: 'old' }, { token: 'right' }));
    await bench.connector.checkHealth();
    expect(proofsOf(bench)).toEqual(['Bearer old', 'Bearer right']);
    // Rotated again: the session is refused, then what was read.
    bench.server.authorization = 'Bearer newer';
    bench.server.failNext(/GET/, { status: 401 });
    const error = await bench.connector.checkHealth().catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'CredentialsRefusedError' });
    expect(String(error)).not.toMatch('right');
    expect(proofsOf(bench).slice(2)).toEqual(['session', 'Bearer right']);
  });

  it('that are incomplete are refused before a call', async () => {
    bench.server.close();
    bench = await openUnicore(keepCredentials({ username: 'ada' }));
    await expect(bench.connector.checkHealth()).rejects.toMatchObject({
      name: 'CredentialsRefusedError',
    });
    expect(bench.server.requests).toEqual([]);
  });

  it('follow no link to another place', async () => {
    const { server, connector } = bench;
    const { job, remote } = await bench.submit();
    remote.properties._links = { workingDirectory: { href: 'http://127.0.0.1:1/SITE/rest/core' } };
    const before = server.requests.length;
    await expect(connector.listFiles(job)).rejects.toThrow('A link leads away from');
    expect(server.requests).toHaveLength(before + 1);
  });

  it('stand for each account by a session of its own, and every call says for which', async () => {
    const { connector, server } = bench;
    for (const login of ['ada', 'grace', undefined, 'ada']) {
      await connector.findByTag({ ...tag, login });
    }
    const shown = server.requests.map(({ headers }) => headers['x-unicore-user-preferences']);
    expect(shown).toEqual(['uid:ada', 'uid:grace', undefined, 'uid:ada']);
    const first = 'Bearer right';
    expect(proofsOf(bench)).toEqual([first, first, first, 'session']);
  });
});
