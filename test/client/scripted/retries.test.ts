import { describe, expect, it } from 'vitest';
import { problems, ServiceUnreachable, SlipwayProblem } from '../../../client/src/index.ts';
import { cutOff, job, refuse, scriptClient } from '../fixtures/scripted-client.ts';

const grant = { user_id: '306328', hpc: 'hpc_one', project_name: 'proj_hpc_one_01' };
const submission = { hpc: 'hpc_one', command: 'ls', nodes: 1, cores: 1, runtime: 1 };
const done = Response.json(job, { status: 201 });

describe('a request that is not answered', () => {
  it('honours Retry-After, in seconds or as a date', async () => {
    const moment = new Date(Date.now() + 100_000).toUTCString();
    const { client, pauses } = scriptClient([
      refuse(503, 'busy', { 'retry-after': '7' }),
      refuse(429, 'too-fast', { 'retry-after': moment }),
      Response.json([]),
    ]);
    await client.listSystems();
    const [first = 0, second = 0, ...others] = pauses;
    expect(first).toBe(7000);
    expect(second).toBeGreaterThan(90_000);
    expect(second).toBeLessThanOrEqual(100_000);
    expect(others).toEqual([]);
  });

  it('backs off, and gives up in the end', async () => {
    const { client, asked, pauses } = scriptClient([cutOff], { retries: 4 });
    const failure = await client.listSystems().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceUnreachable);
    expect(failure).toMatchObject({
      message: 'https://slipway.test did not answer GET /hpc/',
      cause: cutOff,
    });
    expect(asked).toHaveLength(5);
    expect(pauses.map((ms, index) => ms / (250 * 2 ** index)).every((of) => of >= 0.5)).toBe(true);
    expect(pauses.map((ms, index) => ms / (250 * 2 ** index)).every((of) => of <= 1)).toBe(true);
  });

  it('is retried with the same key if it is a submission', async () => {
    const { client, asked } = scriptClient([cutOff, refuse(409, 'idempotency-key-in-use'), done]);
    await client.submit(submission);
    const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    {
      what: 'a grant that sets',
      call: (client: Client) =>
        client.grantQuota({ ...grant, body: { reason: 'why', set: { time: 1 } } }),
    },
    {
      what: 'a ban',
      call: (client: Client) => client.banUser({ ...grant, body: { reason: 'why' } }),
    },
    { what: 'a cancel', call: (client: Client) => client.deleteJob({ ...grant, job_id: 'A' }) },
  ])('is retried if it is $what', async ({ call }) => {
    const { client, asked } = scriptClient([cutOff, Response.json(job)]);
    await call(client);
    expect(asked).toHaveLength(2);
  });

  it.each([
    {
      what: 'a grant that adds',
      call: (client: Client) =>
        client.grantQuota({ ...grant, body: { reason: 'why', add: { time: 1 } } }),
    },
    {
      what: 'a new webhook, whose secret is lost',
      call: (client: Client) => client.createWebhook({ body: { url: 'https://a.example' } }),
    },
  ])('is not retried if it is $what', async ({ call }) => {
    const { client, asked } = scriptClient([cutOff, Response.json(job)]);
    await expect(call(client)).rejects.toBeInstanceOf(ServiceUnreachable);
    expect(asked).toHaveLength(1);
  });

  it('is not retried after a refusal that waiting cannot resolve', async () => {
    for (const name of ['too-many-jobs', 'too-many-uploads', 'too-many-open-requests']) {
      const { client, asked } = scriptClient([refuse(409, name), done]);
      await expect(client.submit(submission)).rejects.toThrow(`It is ${name}.`);
      expect(asked).toHaveLength(1);
    }
  });

  it('reports a removal that is retried as not found, like the service', async () => {
    const { client } = scriptClient([cutOff, refuse(404, 'quota-not-found')]);
    const removal = client.removeQuota({ ...grant, reason: 'why' });
    await expect(removal).rejects.toBeInstanceOf(problems['quota-not-found']);
  });
});

type Client = ReturnType<typeof scriptClient>['client'];

describe('a token', () => {
  it('is renewed once after a refusal, even in a later try', async () => {
    const refused: unknown[] = [];
    const token = (old?: string) => {
      refused.push(old);
      return old === undefined ? 'old' : 'new';
    };
    const { client, asked } = scriptClient(
      [refuse(503, 'busy'), refuse(401, 'invalid-token'), Response.json([])],
      { token },
    );
    await client.listSystems();
    expect(refused).toEqual([undefined, undefined, 'old']);
    expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer old',
      'Bearer old',
      'Bearer new',
    ]);
  });

  it('causes an error if it is refused again', async () => {
    const { client, asked } = scriptClient([refuse(401, 'invalid-token')], { token: () => 'a' });
    await expect(client.listSystems()).rejects.toBeInstanceOf(problems['invalid-token']);
    expect(asked).toHaveLength(2);
  });
});

describe('a problem', () => {
  it('has the class of its type only', async () => {
    const { client } = scriptClient([refuse(403, 'quota-exceeded')]);
    const problem = await client.submit(submission).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(SlipwayProblem);
    expect(problem).toBeInstanceOf(problems['quota-exceeded']);
    expect(problem).not.toBeInstanceOf(problems['no-quota']);
    expect(problem).toMatchObject({
      name: 'quota-exceeded',
      message: 'It is quota-exceeded.',
      status: 403,
      problem: { instance: 'request-1' },
    });
  });

  it('may come from a gateway in between', async () => {
    const refusal = new Response('{"message":"Request Entity Too Large"}', { status: 413 });
    const { client } = scriptClient([refusal]);
    const problem = await client.submit(submission).catch((error: unknown) => error);
    expect(problem).toMatchObject({
      status: 413,
      message: 'The service answered 413: {"message":"Request Entity Too Large"}',
    });
  });
});
