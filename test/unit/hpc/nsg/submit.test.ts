import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jobId, userId } from '#test/fixtures/names.ts';
import { refuse } from '#test/upstreams/nsg-server.ts';
import type { Fault } from '#test/upstreams/start-upstream.ts';
import { type Bench, keepCredentials, openNsg, order, tag } from './open-nsg.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openNsg();
});
afterEach(() => bench.server.close());

describe('submit', () => {
  it('sends the form, for the end user', async () => {
    const { server, connector } = bench;
    const handle = await connector.submit(order);
    expect(server.jobs.get(handle)).toMatchObject({ user: 'demoapp.42' });
    expect(server.jobs.get(handle)?.form).toEqual({
      tool: 'PY_EXPANSE',
      'metadata.clientJobId': tag.jobId,
      'metadata.clientJobName': 'a <title>',
      'metadata.statusEmail': 'false',
      'vparam.runtime_': '0.5',
      'vparam.number_nodes_': '2',
      'vparam.number_cores_': '4',
      'vparam.filename_': 'run.py',
      'vparam.pythonoption_': '3',
      'input.infile_': 'in put.zip: zip',
    });
    expect(server.requests.map(({ headers }) => headers)).toMatchObject([
      {
        'cipres-eu': '42',
        'cipres-eu-email': '42@slipway.example',
        'cipres-eu-institution': 'Slipway',
        'cipres-eu-country': 'DE',
      },
    ]);
  });

  it('leaves out what the order does not name', async () => {
    const handle = await bench.connector.submit({ ...order, extras: {} });
    const { form } = bench.server.jobs.get(handle)!;
    expect(Object.keys(form)).not.toContain('vparam.filename_');
    expect(Object.keys(form)).not.toContain('vparam.pythonoption_');
  });

  it('tells the owner every field that is refused', async () => {
    const { input: _, ...rest } = order;
    await expect(bench.connector.submit({ ...rest, hours: 49 })).rejects.toMatchObject({
      name: 'JobRefusedError',
      message: 'runtime: must be 48 < or less; infile: is required',
    });
    expect(bench.server.jobs.size).toBe(0);
  });

  it('leaves one job after a lost answer, found by its tag among others', async () => {
    const { server, connector } = bench;
    await connector.submit({ ...order, jobId: jobId('OTHER'), title: tag.jobId });
    await connector.submit({ ...order, owner: userId('43') });
    expect(await connector.findByTag(tag)).toBeUndefined();
    server.failNext(/^POST/, 'lost answer');
    await expect(connector.submit(order)).rejects.toMatchObject({ name: 'SystemUnavailableError' });
    const mine = [...server.jobs.values()].filter(
      ({ user, form }) => user === 'demoapp.42' && form['metadata.clientJobId'] === tag.jobId,
    );
    expect(mine).toHaveLength(1);
    expect(await connector.findByTag(tag)).toBe(mine[0]!.handle);
  });

  it('finds nothing after a lost call, nor for a user without jobs', async () => {
    const { server, connector } = bench;
    server.failNext(/^POST/, 'lost call');
    await expect(connector.submit(order)).rejects.toMatchObject({ name: 'SystemUnavailableError' });
    expect(await connector.findByTag(tag)).toBeUndefined();
    server.failNext(/^GET/, refuse(404, 4));
    expect(await connector.findByTag(tag)).toBeUndefined();
  });
});

const limit = '<limitStatus><type>active_limit</type><ceiling>50</ceiling></limitStatus>';
const resetting = '<limitStatus><type>su</type><resetMinutes>90</resetMinutes></limitStatus>';
const html = { status: 200, body: '<html><body>Gateway</body></html>' };

const faults: { what: string; fault: Fault; error: object }[] = [
  { what: '1', fault: refuse(403, 1), error: { name: 'CredentialsRefusedError' } },
  { what: '2', fault: refuse(401, 2), error: { name: 'CredentialsRefusedError' } },
  { what: '7', fault: refuse(400, 7), error: { name: 'JobRefusedError' } },
  { what: '5', fault: refuse(400, 5), error: { name: 'JobRefusedError', message: 'no' } },
  { what: '100', fault: refuse(500, 100), error: { name: 'CallRefusedError' } },
  { what: '102', fault: refuse(500, 102), error: { name: 'CallRefusedError' } },
  {
    what: '103',
    fault: refuse(429, 103, limit),
    error: { name: 'SystemBusyError', retryAfterSeconds: 60, said: 'NSG says: no.' },
  },
  {
    what: '103 with its end',
    fault: refuse(429, 103, resetting),
    error: { name: 'SystemBusyError', retryAfterSeconds: 5400 },
  },
  {
    what: '104',
    fault: refuse(503, 104),
    error: { name: 'SystemBusyError', said: 'NSG says: no.' },
  },
  { what: 'a plain 429', fault: { status: 429 }, error: { name: 'SystemBusyError' } },
  { what: 'a plain 401', fault: { status: 401 }, error: { name: 'CredentialsRefusedError' } },
  { what: 'a plain 404', fault: { status: 404 }, error: { name: 'SystemUnavailableError' } },
  { what: 'a plain 500', fault: { status: 500 }, error: { name: 'SystemUnavailableError' } },
  { what: 'a page', fault: html, error: { name: 'SystemUnavailableError' } },
  { what: 'text', fault: { status: 200, body: 'OK' }, error: { name: 'SystemUnavailableError' } },
  { what: 'nothing', fault: { status: 200 }, error: { name: 'SystemUnavailableError' } },
];

describe('an answer', () => {
  it.each(faults)('of $what to a submission is $error.name', async ({ fault, error }) => {
    bench.server.failNext(/^POST/, fault, 2);
    await expect(bench.connector.submit(order)).rejects.toMatchObject(error);
  });

  it('that does not come is waited for so long and no longer', async () => {
    bench.server.close();
    bench = await openNsg(keepCredentials('right'), 0.05);
    bench.server.failNext(/^POST/, 'silence');
    await expect(bench.connector.submit(order)).rejects.toThrow('no answer in time');
  });

  it('of 4 or 6 to a look-up is: unknown', async () => {
    const { connector } = bench;
    const { job } = await bench.submit();
    const strangers = [
      { ...job, jobId: jobId('GONE'), handle: 'NGBW-JOB-PY_EXPANSE-0' },
      { ...job, jobId: jobId('OF-ANOTHER'), owner: userId('43') },
    ];
    bench.server.failNext(/job\/$/, refuse(404, 6));
    expect(await connector.lookUp([job, ...strangers])).toEqual(
      new Map<string, object>([
        [tag.jobId, { state: 'living', stage: 'QUEUE' }],
        ['GONE', { state: 'unknown' }],
        ['OF-ANOTHER', { state: 'unknown' }],
      ]),
    );
  });
});

describe('validate', () => {
  it('accepts what would be accepted, and submits nothing', async () => {
    await expect(bench.connector.validate(order)).resolves.toBeUndefined();
    expect(bench.server.jobs.size).toBe(0);
  });

  it('refuses what would be refused', async () => {
    await expect(bench.connector.validate({ ...order, hours: 49 })).rejects.toMatchObject({
      name: 'JobRefusedError',
    });
  });
});

describe('credentials', () => {
  it('are read again after a refusal, once, and are in no message', async () => {
    bench.server.close();
    bench = await openNsg(keepCredentials('old-word', 'right'));
    expect(await bench.connector.submit(order)).toMatch(/^NGBW-JOB-PY_EXPANSE-/);
    expect(bench.server.requests).toHaveLength(2);
    bench.server.password = 'newer';
    const error = await bench.connector.submit(order).catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'CredentialsRefusedError' });
    expect(String(error)).not.toMatch(/right|old-word|demoapp/);
    expect(bench.server.requests).toHaveLength(4);
  });

  it('that are incomplete are refused before a call', async () => {
    bench.server.close();
    bench = await openNsg({ read: async () => ({ username: 'ada' }), forget: () => {} });
    await expect(bench.connector.checkHealth()).rejects.toMatchObject({
      name: 'CredentialsRefusedError',
    });
    expect(bench.server.requests).toEqual([]);
  });
});

describe('checkHealth', () => {
  it('is content with the list of tools, and with nothing less', async () => {
    await expect(bench.connector.checkHealth()).resolves.toBeUndefined();
    for (const fault of [
      html,
      { status: 500 },
      { status: 404, body: '<tools/>' },
      { status: 200, body: 'x' },
    ]) {
      bench.server.failNext(/tool$/, fault);
      await expect(bench.connector.checkHealth()).rejects.toMatchObject({
        name: 'SystemUnavailableError',
      });
    }
  });
});
