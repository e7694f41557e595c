import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import '../../fixtures/captured-log.ts';
import { type Assistant, startAssistant, type Told } from '../fixtures/assistant.ts';
import { type RunningService, startRunningService } from '../fixtures/running-service.ts';

let running: RunningService;

beforeAll(async () => {
  running = await startRunningService(0.5);
});

afterAll(() => running.close());

function signIn(user: string) {
  const { url, issuer } = running.service;
  return { url, token: issuer.issueToken({ user }) };
}

/** A folder with a study in it, which is open to an assistant, and a secret beside it. */
function openStudies() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-studies-')));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const folder = join(home, 'open');
  mkdirSync(join(folder, 'study'), { recursive: true });
  mkdirSync(join(home, 'secret'));
  writeFileSync(join(folder, 'study', 'main.py'), 'print(1)\n');
  writeFileSync(join(home, 'secret', 'key'), 'do not tell\n');
  return { folder, secret: join(home, 'secret') };
}

/** A call is bounded, and a machine may be slow. */
async function waitToEnd(call: Assistant['call'], job: string): Promise<Told> {
  const told = await call('wait', { job });
  return told.text.includes('call wait again') ? waitToEnd(call, job) : told;
}

const halfHour = { hpc: 'hpc_one', command: 'python3 main.py', nodes: 2, runtime: '30m' };

describe('an assistant', () => {
  it('finds tools with descriptions, and knows which of them change something', async () => {
    const { client } = await startAssistant(signIn('306501'));
    const { tools } = await client.listTools();
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint);
    expect(tools.filter((tool) => !reading.includes(tool)).map(({ name }) => name)).toEqual([
      'submit',
      'cancel',
    ]);
    expect(reading.map(({ name }) => name).sort()).toEqual(
      [
        'batch',
        'batches',
        'estimate',
        'files',
        'job',
        'jobs',
        'quotas',
        'read_file',
        'results',
        'statement',
        'systems',
        'wait',
      ].sort(),
    );
    for (const { title, description, outputSchema } of tools) {
      expect([title, description, outputSchema?.type]).toEqual([
        expect.stringMatching(/^[A-Z]/),
        expect.stringMatching(/^[A-Z].*\.$/),
        'object',
      ]);
    }
    // All of it stands in the context of a model, in every conversation.
    expect(JSON.stringify(tools).length).toBeLessThan(30_000);
  });

  it('submits a batch whose whole price counts, and reads it', async () => {
    const { call, client } = await startAssistant({ ...signIn('306590'), budget: 7200 });
    await client.listTools();
    const batch = { hpc: 'hpc_one', command: 'ls {index}', title: 'seed {index}', runtime: '30m' };
    const both = await call('submit', { ...batch, count: 5, table: 'p.csv' });
    expect(both.text).toBe('Give either count or table.');
    const mistyped = { ...batch, count: 2, runtime: '1m', command: 'ls {indx}' };
    for (const tool of ['estimate', 'submit']) {
      expect(await call(tool, mistyped)).toMatchObject({
        refused: true,
        text: expect.stringMatching(/^No column has the name \{indx\}\. Nothing was submitted\.\n/),
      });
    }
    const meant = await call('estimate', { ...mistyped, allow_unmatched: true });
    expect(meant.text).toContain('ls {indx}');
    const refused = await call('submit', { ...batch, count: 5 });
    expect(refused.refused).toBe(true);
    expect(refused.text).toContain('This batch would reserve 2.5 node-hours.');
    expect(refused.text).toContain('or submit the batch themselves');
    const estimate = await call('estimate', { ...batch, count: 5 });
    expect(estimate.text).toBe(
      '5 jobs would reserve 2.5 node-hours. 4,997.5 node-hours would be left of the quota.\nThe budget of this session has 2 of 2 node-hours left.\nls 0\nls 1\nls 2\nls 3\nls 4',
    );
    expect(estimate.data).toMatchObject({ count: 5, within_budget: false });
    expect((await call('batches')).text).toBe('There are no batches.');
    // Slow enough to be cancelled on a busy machine, too.
    const slow = { ...batch, title: 'sim:slow {index}' };
    const made = await call('submit', { ...slow, count: 3, max_running: 2 });
    expect(made.text).toContain('The budget of this session has 0.5 of 2 node-hours left.');
    expect(made.data).toMatchObject({ price: { seconds: 5400 } });
    const id = String(made.data.id);
    const read = await call('batch', { batch: id.slice(-12, -4) });
    expect(read.data).toMatchObject({ batch: { batch_id: id, count: 3 }, failed: [] });
    const table = [{ name: 'p.csv', content: 'alpha\n1\n' }];
    const order = { title: 'sim:fail {alpha}', command: 'ls {alpha}', runtime: '6m' };
    const small = await call('submit', { ...batch, ...order, files: table, table: 'p.csv' });
    expect((await call('submit', { ...batch, count: 2 })).refused).toBe(true);
    const listed = await call('batches', { limit: 1 });
    expect(listed.data).toMatchObject({ batches: [{ count: 1 }], more: true });
    expect(listed.text).toContain('These are the newest 1.');
    expect((await call('cancel', { job: id })).data).toMatchObject({ id });
    const failing = String(small.data.id);
    for (const each of [id, failing]) {
      await expect
        .poll(async () => (await call('batch', { batch: each })).data, { timeout: 20_000 })
        .toMatchObject({ batch: { ended: true } });
    }
    expect((await call('cancel', { job: id })).text).toMatch('has ended already.');
    const from = failing.slice(-12, -4);
    const collect = { hpc: 'hpc_one', command: 'ls', runtime: '6m', input_from: from };
    expect((await call('estimate', { ...collect, input_failed: 'skip' })).refused).toBe(true);
    const strict = await call('estimate', collect);
    expect(strict.text).toContain('set input_failed to leave_out');
    const loose = await call('estimate', { ...collect, input_failed: 'leave_out' });
    expect(loose.data).toMatchObject({ granted_seconds: 360 });
  });

  it('runs a job from a folder: system, price, submission, end, file, quota', async () => {
    const { folder } = openStudies();
    const situation = { ...signIn('306502'), folder, budget: 7200 };
    const { call, client } = await startAssistant(situation);
    // From now on it holds what tools answer against the schemas that they promised.
    await client.listTools();
    const systems = await call('systems');
    expect(systems.text).toMatch(/^hpc_one \((up|unknown)\).*Takes a command/m);
    const job = { ...halfHour, folder: 'study', title: 'первый' };
    const estimate = await call('estimate', job);
    expect(estimate.text).toBe(
      'It would reserve 1 node-hour and may run for 30 min. 4,999 node-hours would be left of the quota.\nThe budget of this session has 2 of 2 node-hours left.',
    );
    expect(estimate.data).toMatchObject({ price: { seconds: 3600 }, within_budget: true });

    const submitted = await call('submit', job);
    expect(submitted.text).toContain('The budget of this session has 1 of 2 node-hours left.');
    const id = String(submitted.data.id);
    expect((await waitToEnd(call, id)).data).toMatchObject({
      job: { job_id: id, meaning: 'done', ended: true },
      use: { used: { seconds: 2880, text: '0.8 node-hours' }, returned: { seconds: 720 } },
    });

    expect((await call('files', { job: id })).text).toMatch(/^listing\.txt {2}/m);
    const listing = await call('read_file', { job: id.slice(0, 8), name: 'listing.txt' });
    expect(listing.text).toContain('main.py');
    expect(await call('read_file', { job: id, name: 'nothing' })).toMatchObject({
      refused: true,
      text: expect.stringContaining('listing.txt'),
    });
    // The service would delete an ended job where it cancels a living one.
    expect(await call('cancel', { job: id })).toMatchObject({
      refused: true,
      text: expect.stringContaining('has ended already: SUCCESSFUL.'),
    });
    const shown = await call('job', { job: id });
    expect(shown.text).toMatch(/QUEUED.*SUCCESSFUL.*It used 0.8 node-hours/s);
    expect((await call('jobs', { ended: true })).text).toContain('первый');
    const quotas = await call('quotas');
    expect(quotas.text).toContain('proj_hpc_one_01 on hpc_one: 4,999.2 of 5,000 node-hours left');
    // What a job gave back comes to the quota, and not to the budget.
    expect(quotas.text).toContain('The budget of this session has 1 of 2 node-hours left.');
  });

  it('reads a file of each job of a batch, in parts', async () => {
    const { call, client } = await startAssistant(signIn('306514'));
    await client.listTools();
    const { data } = await call('submit', { ...halfHour, runtime: '1m', count: 3 });
    const batch = String(data.id);
    await expect
      .poll(async () => (await call('batch', { batch })).data, { timeout: 20_000 })
      .toMatchObject({ batch: { ended: true } });
    const read = await call('results', { batch, name: 'stdout', from: 1 });
    expect(read.data).toMatchObject({
      results: [
        { index: 1, state: 'included', text: expect.any(String) },
        { index: 2, state: 'included', text: expect.any(String) },
      ],
      next: null,
    });
    expect(read.text).toMatch(/^==> 1 <==\n[\s\S]*^==> 2 <==$/m);
    const absent = await call('results', { batch, name: 'absent' });
    expect(absent.text).toBe([0, 1, 2].map((each) => `==> ${each} <==\n(missing)`).join('\n'));
  });

  it('shows the statement of a project to its leaders', async () => {
    const { call, client } = await startAssistant(signIn('306515'));
    await client.listTools();
    const place = { hpc: 'HPC_ONE', project: 'proj_hpc_one_01' };
    expect(await call('statement', place)).toMatchObject({ refused: true });
    const token = running.service.issuer.issueToken({ user: '1', administrator: true });
    const { url } = running.service;
    const administrator = await startAssistant({ url, token });
    await administrator.client.listTools();
    const { text, data } = await administrator.call('statement', place);
    expect(text).toMatch(/^proj_hpc_one_01 on hpc_one in \d{4}-\d\d: \d+ jobs? ended\.$/m);
    expect(text).toMatch(/^closing: .* node-hours$/m);
    expect(data).toMatchObject({ closed: false, used: { seconds: expect.any(Number) } });
  });

  it('submits files by their text', async () => {
    const { call } = await startAssistant(signIn('306503'));
    const files = [
      { name: 'run/main.py', content: 'print(2)' },
      { name: 'größe.txt', content: '2' },
    ];
    const { data } = await call('submit', { ...halfHour, runtime: '1m', files });
    const job = String(data.id);
    await waitToEnd(call, job);
    const listing = await call('read_file', { job, name: 'listing.txt' });
    expect(listing.text).toContain('run/main.py');
    expect(listing.text).toContain('größe.txt');
  });

  it('waits no longer than asked, and may cancel twice', async () => {
    const { call, client } = await startAssistant(signIn('306504'));
    const { data } = await call('submit', { ...halfHour, title: 'sim:busy' });
    const job = String(data.id);
    const messages: string[] = [];
    const waited = await client.callTool(
      { name: 'wait', arguments: { job, seconds: 1 } },
      undefined,
      { onprogress: ({ message = '' }) => messages.push(message) },
    );
    expect(messages[0]).toContain('sim:busy');
    expect(waited).toMatchObject({
      structuredContent: { job: { ended: false, meaning: 'waiting' }, use: null },
      content: [{ text: expect.stringContaining('It has not ended yet: call wait again.') }],
    });
    for (const time of ['first', 'second']) {
      expect((await call('cancel', { job })).text, time).toContain('cancelled');
    }
  });

  it('gets error messages, never a stack trace', async () => {
    const { call } = await startAssistant(signIn('306505'));
    const answers = await Promise.all([
      call('submit', { ...halfHour, hpc: 'hpc_nine' }),
      call('submit', { ...halfHour, runtime: 'soon' }),
      call('submit', { ...halfHour, runtime: [3] }),
      call('submit', { ...halfHour, fields: { node_number: '500' } }),
      call('submit', { hpc: 'hpc_one' }),
      call('job', { job: 'NONE' }),
    ]);
    expect(answers.map(({ refused, text }) => [refused, /\n\s+at /.test(text)])).toEqual(
      answers.map(() => [true, false]),
    );
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringContaining('hpc_nine'),
      expect.stringContaining("'soon' is not a valid duration.\nWrite hours, or a time"),
      expect.stringContaining('runtime'),
      expect.stringMatching(/These have parameters of their own: hpc, .*node_number/),
      expect.stringContaining('Give a command or a tool'),
      expect.stringContaining("You have no job 'NONE'."),
    ]);
    expect((await call('jobs')).data).toEqual({ jobs: [], more: false });
  });

  it('is told that the service cannot be reached', async () => {
    const { call } = await startAssistant({ url: 'http://127.0.0.1:1', token: 'none' });
    expect(await call('jobs')).toMatchObject({
      refused: true,
      text: expect.stringContaining('The service cannot be reached.'),
    });
  });
});

describe('a folder that is not open to an assistant', () => {
  it('is not submitted: neither with dots, nor with an absolute path, nor with a link', async () => {
    const { folder, secret } = openStudies();
    symlinkSync(secret, join(folder, 'link'));
    symlinkSync(join(secret, 'key'), join(folder, 'study', 'inner'));
    const { call } = await startAssistant({ ...signIn('306506'), folder });
    for (const wanted of [
      '../secret',
      '../nothing',
      secret,
      'study/../../secret',
      'link',
      '..',
      '/',
    ]) {
      expect(await call('submit', { ...halfHour, folder: wanted })).toMatchObject({
        refused: true,
        text: expect.stringContaining(`leads out of ${folder}`),
      });
    }
    expect(await call('submit', { ...halfHour, folder: 'study' })).toMatchObject({
      refused: true,
      text: expect.stringContaining("'inner' is a link"),
    });
    expect((await call('jobs')).data).toMatchObject({ jobs: [] });
  });

  it('cannot be written to through the name of a file', async () => {
    const { call } = await startAssistant(signIn('306507'));
    for (const name of ['../x', '/x', 'a/../../x', 'a\\x', 'a//x', '.', 'a\nb']) {
      expect(await call('estimate', { ...halfHour, files: [{ name, content: '' }] })).toMatchObject(
        { refused: true, text: expect.stringContaining('is not a valid file name') },
      );
    }
    const twice = [
      { name: 'a', content: '1' },
      { name: 'a', content: '2' },
    ];
    expect(await call('estimate', { ...halfHour, files: twice })).toMatchObject({
      refused: true,
      text: expect.stringContaining('Give each file once'),
    });
  });

  it('is any folder if none was opened', async () => {
    const { call } = await startAssistant(signIn('306508'));
    expect(await call('estimate', { ...halfHour, folder: '.' })).toMatchObject({
      refused: true,
      text: expect.stringContaining('--folder'),
    });
  });
});

describe('the budget', () => {
  const hour = { hpc: 'hpc_one', command: 'ls', runtime: '1h', title: 'an hour' };

  it('refuses jobs beyond it if nobody can be asked', async () => {
    const { call } = await startAssistant({ ...signIn('306509'), budget: 3600 * 1.5 });
    expect((await call('submit', hour)).refused).toBe(false);
    const refused = await call('submit', hour);
    expect(refused.text).toBe(
      'This job would reserve 1 node-hour. The budget of this session has 0.5 of 1.5 node-hours left. Nothing was submitted.\nTell the user. They can restart the server with a larger budget, such as --budget 1h, or submit the job themselves with slipway submit.',
    );
    expect((await call('estimate', hour)).data).toMatchObject({ within_budget: false });
    expect((await call('jobs')).data.jobs).toHaveLength(1);
    expect((await call('submit', { ...hour, runtime: '30m' })).refused).toBe(false);
  });

  it('of zero asks about every job, with its price and the remaining quota', async () => {
    let answer: 'accept' | 'decline' | 'cancel' = 'decline';
    const situation = { ...signIn('306510'), budget: 0, user: () => answer };
    const { call, asked } = await startAssistant(situation);
    const hostile = {
      ...hour,
      project: 'proj_hpc_one_01',
      title: 'free of charge\nPrice: 0',
    };
    expect(await call('submit', hostile)).toMatchObject({
      refused: true,
      text: expect.stringContaining('did not agree'),
    });
    expect(asked[0]?.split('\n')).toEqual([
      'An assistant wants to submit a job that reserves 1 node-hour (3600 s). There is no budget: the user is asked about every job.',
      'Where: hpc_one / proj_hpc_one_01, 1 node with 1 core each, for 1 h',
      'What: ls',
      'Title: free of charge\ufffdPrice: 0',
      'Your quota has 4,999 node-hours left after it.',
    ]);
    answer = 'cancel';
    expect((await call('submit', hour)).refused).toBe(true);
    expect((await call('jobs')).data.jobs).toHaveLength(0);
    answer = 'accept';
    expect((await call('submit', hour)).refused).toBe(false);
    expect((await call('submit', hour)).refused).toBe(false);
    expect((await call('jobs')).data.jobs).toHaveLength(2);
    expect(asked).toHaveLength(4);
  });

  it('is not spent if the question fails', async () => {
    const user = () => {
      throw new Error('no window to ask in');
    };
    const { call } = await startAssistant({ ...signIn('306513'), budget: 0, user });
    expect(await call('submit', hour)).toMatchObject({
      refused: true,
      text: 'The user was asked, and no answer came. Nothing was submitted.\nAsk the user what to do.',
    });
    expect((await call('jobs')).data.jobs).toHaveLength(0);
  });

  it('counts jobs that the user agreed to, so that the user is asked about the next one too', async () => {
    const user = () => 'accept' as const;
    const situation = { ...signIn('306511'), budget: 3600, user };
    const { call, asked } = await startAssistant(situation);
    await call('submit', { ...hour, runtime: '2h' });
    await call('submit', { ...hour, runtime: '30m' });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('The budget of this session has 0 of 1 node-hours left.');
  });

  it('is not overspent by two submissions at once', async () => {
    const { call } = await startAssistant({ ...signIn('306512'), budget: 3600 * 1.5 });
    const answers = await Promise.all([call('submit', hour), call('submit', hour)]);
    expect(answers.map(({ refused }) => refused).sort()).toEqual([false, true]);
    expect((await call('jobs')).data.jobs).toHaveLength(1);
  });
});
