import { describe, expect, it } from 'vitest';
import { CredentialsRefusedError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { refuseToken, startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect, keepTokens, order } from './connect.ts';

describe('the version of the interface', () => {
  it.each([
    { served: [36, 37, 38], chosen: 38 },
    { served: [38, 39, 40], chosen: 40 },
    { served: [42, 43, 44, 45], chosen: 43 },
  ])('is the newest that both speak: $chosen of $served', async ({ served, chosen }) => {
    const fake = await startFake(...served);
    await connect(fake).checkHealth();
    expect(fake.questions.map(({ path }) => path)).toEqual([
      '/openapi/v3',
      `/slurm/v0.0.${chosen}/ping`,
    ]);
  });

  it('is asked for once, however many calls begin at once', async () => {
    const fake = await startFake(38);
    const connector = connect(fake);
    await Promise.all([connector.checkHealth(), connector.checkHealth()]);
    await connector.checkHealth();
    expect(fake.count('openapi')).toBe(1);
  });

  it('is asked for again when Slurm was upgraded, and the job is handed over once', async () => {
    const fake = await startFake(37, 38);
    const connector = connect(fake);
    await connector.checkHealth();
    fake.versions = [40, 41];
    expect(await connector.submit(order)).toBe('1');
    expect(fake.queue).toHaveLength(1);
    expect(fake.count('openapi')).toBe(2);
  });

  it('is asked for again after it could not be told', async () => {
    const fake = await startFake(38);
    fake.replies.push({ to: 'openapi', reply: 'hang up' });
    const connector = connect(fake);
    await expect(connector.checkHealth()).rejects.toThrow(SystemUnavailableError);
    await expect(connector.checkHealth()).resolves.toBeUndefined();
  });

  it.each([[[35, 36]], [[44, 45]], [[]]])('is none of %j', async (served) => {
    const fake = await startFake(...served);
    await expect(connect(fake).checkHealth()).rejects.toThrow(SystemUnavailableError);
  });
});

describe('a token', () => {
  it('that was rotated is read again, though 22.05 does not say that it refuses it', async () => {
    const fake = await startFake(38);
    const connector = connect(fake, { credentials: keepTokens('old', 'good') });
    expect(await connector.findByTag(order)).toBeUndefined();
    expect(fake.questions.map(({ token }) => token)).toEqual(['old', 'old', 'good']);
  });

  it('that was rotated is read again where it is refused in so many words', async () => {
    const fake = await startFake(38);
    const connector = connect(fake, { credentials: keepTokens('', 'good') });
    expect(await connector.submit(order)).toBe('1');
  });

  it('that was refused hands no job over a second time: it may have been taken', async () => {
    const fake = await startFake(38);
    const connector = connect(fake, { credentials: keepTokens('old', 'good') });
    await expect(connector.submit(order)).rejects.toThrow(SystemUnavailableError);
    expect(fake.submitted()).toHaveLength(1);
    expect(await connector.submit(order)).toBe('1');
  });

  it('is not shown twice: the controller may be down, and takes 9 s to be found so', async () => {
    const fake = await startFake(38);
    const connector = connect(fake, { credentials: keepTokens('bad') });
    await expect(connector.checkHealth()).rejects.toThrow(SystemUnavailableError);
    expect(fake.count('ping')).toBe(1);
  });

  it('that is refused twice is in doubt, and in so many words is refused', async () => {
    const fake = await startFake(38);
    const rotated = connect(fake, { credentials: keepTokens('old', 'bad') });
    await expect(rotated.checkHealth()).rejects.toThrow(SystemUnavailableError);
    const empty = connect(fake, { credentials: keepTokens('') });
    await expect(empty.checkHealth()).rejects.toThrow(CredentialsRefusedError);
  });

  it('appears in no error', async () => {
    const fake = await startFake(38);
    const connector = connect(fake, { credentials: keepTokens('hunter2') });
    const failure = await connector.checkHealth().catch((error: Error) => error);
    expect(String(failure)).toContain('does not accept our token');
    expect(String(failure)).not.toContain('hunter2');
  });
});

describe('health', () => {
  it.each([{ pinged: 'UP' }, { pinged: 'UP', responding: true }, { ping: 'UP' }])(
    'is %j',
    async (ping) => {
      const fake = await startFake(43);
      const body = { errors: [], pings: [{ pinged: 'DOWN' }, ping] };
      fake.replies.push({ to: 'ping', reply: { status: 200, body } });
      await expect(connect(fake).checkHealth()).resolves.toBeUndefined();
    },
  );

  it.each([
    { status: 200, body: { errors: [], pings: [{ ping: 'DOWN' }] } },
    { status: 200, body: { errors: [], pings: [{ pinged: 'DOWN', responding: false }] } },
    { status: 200, body: { errors: [], pings: [] } },
    { status: 200, body: 'hello' },
    refuseToken({ method: 'GET' }),
  ])('is not $body', async (reply) => {
    const fake = await startFake(38);
    fake.replies.push({ to: 'ping', reply });
    await expect(connect(fake).checkHealth()).rejects.toThrow(SystemUnavailableError);
  });
});
