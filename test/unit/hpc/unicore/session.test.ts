import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jobId } from '#test/fixtures/names.ts';
import { type Bench, keepCredentials, openUnicore, order, tag } from './open-unicore.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openUnicore();
});
afterEach(() => bench.server.close());

const proof = 'Bearer right';

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
    bench.server.failNext(/GET/, { status: 200, body: '{}' });
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
    const [ada, grace] = ['uid:ada', 'uid:grace'];
    expect(shown).toEqual([ada, ada, grace, grace, undefined, undefined, ada]);
    expect(proofsOf(bench)).toEqual([
      proof,
      'session',
      proof,
      'session',
      proof,
      'session',
      'session',
    ]);
  });

  it('open no more sessions than a server keeps', async () => {
    const { connector } = bench;
    const logins = ['a', 'b', 'c', 'd', 'e'];
    for (const login of [...logins, 'e', 'a']) await connector.findByTag({ ...tag, login });
    // The session of the last account is still there, that of the first was given up.
    expect(proofsOf(bench).slice(-3)).toEqual(['session', proof, 'session']);
  });

  it('that are unknown make an anonymous client, which is told and not believed', async () => {
    const { server, connector } = bench;
    await bench.submit();
    server.authorization = 'Bearer newer';
    server.forgetSessions();
    for (const ask of [
      () => connector.checkHealth(),
      () => connector.findByTag(tag),
      () => connector.submit(order),
    ]) {
      await expect(ask()).rejects.toMatchObject({
        name: 'CredentialsRefusedError',
        message: expect.stringContaining('anonymous'),
      });
    }
    expect(server.jobs.size).toBe(1);
  });

  it('that may not use an account refuse its job, and wait for its other calls', async () => {
    const { server, connector } = bench;
    const { job } = await bench.submit();
    server.accounts = ['ada'];
    const login = 'grace';
    const message =
      "The HPC system does not let this service use the account 'grace'. " +
      'Ask an administrator to correct it, and submit the job again.';
    const refused = { name: 'JobRefusedError', message };
    await expect(connector.submit({ ...order, login })).rejects.toMatchObject(refused);
    await expect(connector.findByTag({ ...tag, login })).rejects.toMatchObject(refused);
    const mapped = { ...job, login };
    const busy = { name: 'SystemBusyError', message };
    await expect(connector.cancel(mapped)).rejects.toMatchObject(busy);
    await expect(connector.listFiles(mapped)).rejects.toMatchObject(busy);
    const other = { ...job, jobId: jobId('OTHER'), login: 'ada', handle: 'gone' };
    const seen = await connector.lookUp([mapped, other]);
    expect(seen).toEqual(new Map([['OTHER', { state: 'unknown' }]]));
    await expect(
      connector.submit({ ...order, jobId: jobId('OTHER'), login: 'ada' }),
    ).resolves.toBeTruthy();
  });

  it('that are wrong are told, whatever account was asked for', async () => {
    bench.server.close();
    bench = await openUnicore(keepCredentials({ username: 'ada', password: 'wrong' }));
    await expect(bench.connector.submit({ ...order, login: 'ada' })).rejects.toMatchObject({
      name: 'CredentialsRefusedError',
    });
  });
});
