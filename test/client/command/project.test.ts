import { describe, expect, it } from 'vitest';
import { speakEnglish } from '#client/src/words/language.ts';
import { openCommandHome, type Ran } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const hour = 3600;

const place = { project: 7, project_hpc: 'HPC_ONE', project_name: 'lab_42' };

const project = { id: 7, ...place, default: false, max_living_jobs: 10 };

const led = {
  ...place,
  leaders: ['306328'],
  budget: {
    time: {
      granted: 100 * hour,
      left: 60 * hour,
      held: 0,
      used: 40 * hour,
      shared_out: 40 * hour,
    },
    space: { granted: 100_000_000, left: 90_000_000, held: 0, used: 1e7, shared_out: 1e7 },
    living_jobs: 0,
    valid_until: '2027-12-31T23:59:59Z',
    renews: null,
  },
};

const member = {
  id: 3,
  ...place,
  user: '306330',
  time_left: 15 * hour,
  space_left: 1_000_000,
  usage: {
    time: { granted: 20 * hour, left: 15 * hour, held: 0, used: 5 * hour },
    space: { granted: 1_000_000, left: 1_000_000, held: 0, used: 0 },
    living_jobs: 2,
    valid_until: null,
    renews: null,
    banned: null,
  },
};

const request = {
  request_id: 'r-1',
  ...place,
  user: '306330',
  time: 50 * hour,
  space: 0,
  reason: 'a second experiment',
  state: 'open',
  opened: '2026-11-15T06:00:00Z',
  decision: null,
  banned: null,
};

interface Asked {
  readonly call: string;
  readonly body?: unknown;
}

type Answers = Readonly<Record<string, unknown>>;

/** Answers in the order of specificity: the longest matching start of `METHOD path` wins. */
async function startService(answers: Answers = {}) {
  const all: Answers = {
    'GET /hpc/': [{ name: 'hpc_one', project_hpc: 'HPC_ONE', charging: 'node', stages: [] }],
    'GET /projects/': [project],
    'GET /projects/hpc_one/lab_42/': project,
    'GET /projects/hpc_one/lab_42/budget/': led,
    'GET /admin/quotas/': [member],
    'GET /admin/quotas/306330/hpc_one/lab_42/': member,
    'GET /admin/requests/': [request],
    ...answers,
  };
  const asked: Asked[] = [];
  const url = await startServer(async (incoming, response) => {
    let text = '';
    for await (const piece of incoming) text += String(piece);
    const call = `${incoming.method} ${incoming.url}`;
    asked.push({ call, ...(text !== '' && { body: JSON.parse(text) }) });
    const known = Object.keys(all).filter((start) => call.startsWith(start));
    const [best = ''] = known.toSorted((a, b) => b.length - a.length);
    const answer = all[best];
    response.writeHead(isProblem(answer) ? answer.status : 200, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(answer ?? {}));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  const home = (...words: string[]): Promise<Ran> => openCommandHome().run(words, { environment });
  const run = (...words: string[]) => home('project', ...words);
  const ask = (answer: string, ...words: string[]): Promise<Ran> =>
    openCommandHome().run(['project', ...words], { environment, answer, columns: 100 });
  const runAdmin = (...words: string[]) => home('admin', 'projects', ...words);
  const written = () => asked.filter(({ call }) => !call.startsWith('GET '));
  return { home, run, ask, runAdmin, asked, written };
}

function isProblem(answer: unknown): answer is { readonly status: number } {
  return typeof answer === 'object' && answer !== null && 'status' in answer && 'type' in answer;
}

function refuse(name: string, status: number, more: object = {}) {
  const type = `urn:slipway:problem:${name}`;
  return { type, title: 'Not possible', status, detail: 'In seconds.', ...more };
}

const why = ['--reason', 'as planned'];

describe('slipway project', () => {
  it('lists what somebody leads, with the budget and how many members there are', async () => {
    const { run, asked } = await startService();
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(asked[0]?.call).toBe('GET /projects/?led=true');
    expect(out).toMatch(/PROJECT +SYSTEM +LEFT +SPACE +MEMBERS +UNTIL/);
    expect(out).toMatch(
      /lab_42 +hpc_one +60 of 100 node-hours +90 GB of 100 GB +1 +31 December 2027/,
    );
  });

  it('says that a list is empty, and what to do', async () => {
    const { run } = await startService({ 'GET /projects/': [] });
    expect(await run()).toMatchObject({ code: 0, out: '' });
    expect((await run()).err).toContain('You lead no projects. Ask an administrator');
    const { code, err } = await run('members');
    expect(code).toBe(3);
    expect(err).toContain('slipway admin projects leaders --help');
  });

  it('asks which one, if there are several', async () => {
    const other = { ...project, id: 8, project_name: 'lab_43' };
    const { run } = await startService({ 'GET /projects/': [project, other] });
    const { code, err } = await run('members');
    expect(code).toBe(2);
    expect(err).toContain('You lead 2 projects: hpc_one/lab_42, hpc_one/lab_43.');
    expect(err).toContain('-p hpc_one/lab_42');
    expect((await run('members', '-p', 'lab_42')).out).toContain('306330');
  });

  it('says that somebody does not lead a project', async () => {
    const { run } = await startService({ 'GET /admin/quotas/': refuse('not-administrator', 403) });
    const { code, err } = await run('members', '-p', 'lab_42');
    expect(code).toBe(3);
    expect(err).toContain('You do not lead lab_42.');
    expect(err).not.toContain('Sign in as an administrator');
  });

  it.each([
    [[], ['USER', 'LEFT', 'USED', 'SPACE', 'ACTIVE', 'UNTIL']],
    [
      ['--lang', 'de'],
      ['PERSON', 'ÜBRIG', 'VERBRAUCHT', 'PLATZ', 'AKTIV', 'BIS'],
    ],
  ])('lists members without the project, which all share: %j', async (options, heads) => {
    const { run } = await startService();
    const { out } = await run('members', ...options);
    speakEnglish();
    expect(out.split('\n')[0]?.split(/ {2,}/)).toEqual(heads);
  });

  it('shows the budget, its leaders and its members', async () => {
    const { run } = await startService();
    const { out } = await run('show');
    expect(out).toContain('60 of 100 node-hours left');
    expect(out).toContain('40 node-hours shared out · Led by 306328');
    expect(out).toMatch(/306330 +15 of 20 node-hours +5 node-hours +1 GB of 1 GB/);
    const { out: json } = await run('show', '--json');
    expect(JSON.parse(json)).toEqual({ ...led, members: [member] });
  });

  it('shows a project without a budget or members', async () => {
    const { run } = await startService({
      'GET /projects/hpc_one/lab_42/budget/': { ...led, budget: null, leaders: [] },
      'GET /admin/quotas/': [],
    });
    const { out } = await run('show');
    expect(out).toContain('No budget. Administrators set one.');
    expect(out).toContain('No members yet. Invite one: slipway project invite --help');
    expect((await run()).out).toContain('no budget');
  });
});

describe('a share', () => {
  const target = '/admin/quotas/306330/hpc_one/lab_42/';
  const changed = {
    ...member,
    usage: { ...member.usage, time: { ...member.usage.time, granted: 25 * hour, left: 20 * hour } },
  };

  it.each([
    {
      words: ['grant', '306330', '5'],
      body: { set: { time: 25 * hour, space: 1_000_000 } },
    },
    {
      words: ['take', '306330', '5h'],
      body: { set: { time: 15 * hour, space: 1_000_000 } },
    },
    {
      words: ['grant', '306330', '5', '--space', '1GB', '--until', '2027-03-31'],
      body: { set: { time: 25 * hour, space: 2_000_000 }, valid_until: '2027-03-31' },
    },
    { words: ['extend', '306330', '2027-06-30'], body: { valid_until: '2027-06-30' } },
  ])('is changed by $words, with totals that can be sent twice', async ({ words, body }) => {
    const { run, written } = await startService({ [`PUT ${target}`]: changed });
    const { code, out } = await run(...words, ...why);
    expect(code).toBe(0);
    expect(written()).toEqual([{ call: `PUT ${target}`, body: { ...body, reason: 'as planned' } }]);
    expect(out).toContain('306330 in lab_42: 20 → 25 node-hours');
    expect(out).toContain('Remaining  20 of 25 node-hours');
  });

  it.each([
    { ends: '2027-12-31T23:59:59Z', told: 'Until now it ended later, on 31 December 2027.' },
    { ends: null, told: 'It has no end now.' },
  ])('is shortened only by who means it: $told', async ({ ends, told }) => {
    const longer = { ...member, usage: { ...member.usage, valid_until: ends } };
    const { run, ask, written } = await startService({
      [`GET ${target}`]: longer,
      [`PUT ${target}`]: changed,
    });
    const refused = await ask('n', 'extend', '306330', '2027-06-30', ...why);
    expect([refused.code, refused.err]).toEqual([0, expect.stringContaining(told)]);
    expect(refused.err).toContain('Nothing was changed.');
    expect(written()).toEqual([]);
    const meant = await ask('y', 'extend', '306330', '2027-06-30', ...why);
    expect(meant.out).toContain('Shortened');
    expect((await run('extend', '306330', '2027-06-30', ...why)).out).toContain('Shortened');
    expect((await run('extend', '306330', 'never', ...why)).out).toContain('Extended');
  });

  it.each([
    [90_000_000, [], 10_000_000],
    [4_000_000, [], 4_000_000],
    [90_000_000, ['--space', '1 GB'], 1_000_000],
    [90_000_000, ['--space', '0 GB'], 0],
  ])('of somebody without space, of %i KB, brings some with %j', async (left, words, space) => {
    const { budget } = led;
    const { run, written } = await startService({
      [`GET ${target}`]: refuse('quota-not-found', 404),
      'GET /projects/hpc_one/lab_42/budget/': {
        ...led,
        budget: { ...budget, space: { ...budget.space, left } },
      },
      [`PUT ${target}`]: {
        ...member,
        usage: { ...member.usage, space: { ...member.usage.space, granted: space } },
      },
    });
    const { code, err } = await run('grant', '306330', '20', ...words, ...why);
    expect(code).toBe(0);
    expect(written()[0]?.body).toEqual({ set: { time: 20 * hour, space }, reason: 'as planned' });
    expect(err.includes('The quota has no space')).toBe(space === 0);
  });

  it('of somebody new begins with nothing', async () => {
    const { run, written } = await startService({
      [`GET ${target}`]: refuse('quota-not-found', 404),
      [`PUT ${target}`]: member,
    });
    const { out } = await run('invite', '306330', ...why);
    expect(out).toContain('Invited    306330 is a member of lab_42');
    expect(out).toContain('slipway project grant 306330 AMOUNT -p lab_42');
    expect(written()).toEqual([
      {
        call: `PUT ${target}`,
        body: { set: { time: 0, space: 0 }, reason: 'as planned' },
      },
    ]);
  });

  it('of a member is left alone by an invitation', async () => {
    const { run, written } = await startService();
    const { out } = await run('invite', '306330', ...why);
    expect(out).toContain('Unchanged  306330 is already a member of lab_42');
    expect(written()).toEqual([]);
  });

  it.each([
    ['take', '5'],
    ['extend', '2027-06-30'],
  ])('of somebody who is not a member is not changed by %s', async (verb, value) => {
    const { run, written } = await startService({
      [`GET ${target}`]: refuse('quota-not-found', 404),
    });
    const { code, err } = await run(verb, '306330', value, ...why);
    expect(code).toBe(2);
    expect(err).toContain('306330 is not a member of lab_42.');
    expect(err).toContain('slipway project members -p lab_42');
    expect(written()).toEqual([]);
  });

  it('is not asked to give back more than it has', async () => {
    const { run, written } = await startService();
    const { code, err } = await run('take', '306330', '80', ...why);
    expect(code).toBe(2);
    expect(err).toContain('306330 has only 20 node-hours and 1 GB of space here.');
    expect((await run('take', '306330', '1', '--space', '2 GB', ...why)).code).toBe(2);
    expect(written()).toEqual([]);
  });

  it('is never negative', async () => {
    const { run } = await startService();
    const { code, err } = await run('grant', '306330', '5', '--space', '-1GB', ...why);
    expect(code).toBe(2);
    expect(err).toContain('Use: slipway project take --help');
  });

  it.each([
    [
      refuse('budget-too-small', 409, {
        project_hpc: 'HPC_ONE',
        project_name: 'lab_42',
        charging: 'node',
        asked: { time: 80 * hour, space: 0 },
        left: { time: 60 * hour, space: 0 },
      }),
      'The budget of lab_42 on hpc_one is too small: 80 node-hours were requested, but only 60 node-hours remain.',
    ],
    [refuse('not-from-budget', 409), 'Ask one of them.'],
    [
      refuse('quota-in-use', 409, {
        project_hpc: 'HPC_ONE',
        project_name: 'lab_42',
        charging: 'node',
        lowest: { time: 5 * hour, space: 0 },
      }),
      'cannot be set below 5 node-hours',
    ],
  ])('that is refused is explained in hours', async (answer, words) => {
    const { run } = await startService({ [`PUT ${target}`]: answer });
    const { code, err } = await run('grant', '306330', '80', ...why);
    expect(code).toBe(3);
    expect(err).toContain(words);
    expect(err).not.toContain('In seconds.');
  });

  it('is removed after it was shown', async () => {
    const { run, written } = await startService({ [`DELETE ${target}`]: member });
    const { out, err } = await run('remove', '306330', ...why);
    expect(err).toContain('Remaining for 306330 in lab_42: 15 of 20 node-hours');
    expect(out).toContain('Removed    306330 in lab_42; the ledger stays');
    expect(written()).toEqual([{ call: `DELETE ${target}`, body: { reason: 'as planned' } }]);
  });
});

describe('the rest of a project', () => {
  it('has requests, which are decided by the user who asked', async () => {
    const { run, asked, written } = await startService({
      'PUT /admin/requests/r-1/': { ...request, state: 'approved', decision: { time: 10 * hour } },
    });
    expect((await run('requests')).out).toMatch(/306330 +lab_42 +50 node-hours/);
    expect(asked.map(({ call }) => call)).toContain(
      'GET /admin/requests/?state=open&hpc=hpc_one&project=lab_42',
    );
    const { out } = await run('approve', '306330', '10', ...why);
    expect(out).toContain('Approved   306330 gets 10 node-hours in lab_42');
    expect((await run('decline', '306330', ...why)).out).toContain('Declined   306330');
    expect(written().map(({ call }) => call)).toEqual([
      'PUT /admin/requests/r-1/approve/',
      'PUT /admin/requests/r-1/decline/',
    ]);
    const { code, err } = await run('approve', '42', ...why);
    expect(code).toBe(3);
    expect(err).toContain('42 has no open request in lab_42.');
  });

  it.each([
    {
      words: ['jobs', '--active'],
      call: 'GET /admin/jobs/hpc_one/lab_42/',
      none: 'No jobs match.',
    },
    {
      words: ['report', '--user', '306330'],
      call: 'GET /admin/reports/usage/?by=user',
      none: 'Nothing was used in that time.',
    },
    {
      words: ['ledger'],
      call: 'GET /projects/hpc_one/lab_42/budget/ledger/',
      none: 'Nothing changed in that time.',
    },
    {
      words: ['ledger', '--user', '306330'],
      call: 'GET /admin/quotas/306330/hpc_one/lab_42/ledger/',
      none: 'Nothing changed in that time.',
    },
  ])('is asked for by $words', async ({ words, call, none }) => {
    const { run, asked } = await startService({ [call]: [], 'GET /admin/reports/usage/': [] });
    const { code, err } = await run(...words);
    expect(code).toBe(0);
    expect(err).toContain(none);
    const [path = ''] = call.split('?');
    const sent = asked.find((each) => each.call.startsWith(path))?.call ?? '';
    if (words[0] === 'report') {
      const { searchParams } = new URL(sent.slice('GET '.length), 'http://localhost');
      expect(Object.fromEntries(searchParams)).toMatchObject({
        by: 'user',
        user: '306330',
        hpc: 'hpc_one',
        project_name: 'lab_42',
      });
    } else expect(sent).not.toBe('');
  });
});

it('shows members of a shared project its budget instead of their own quota', async () => {
  const { home, asked } = await startService({
    'GET /projects/': [{ ...project, shared: true }],
    'GET /projects/hpc_one/lab_42/': { ...project, shared: true },
    'GET /quotas/': [{ ...member, project: 7 }],
  });
  const { out } = await home('quotas');
  expect(out).toContain('60 of 100 node-hours left');
  expect(out).toContain('shared by all members');
  expect(asked.map(({ call }) => call)).toContain('GET /projects/hpc_one/lab_42/budget/');
  expect((await home('project', 'show')).out).toContain('Members draw from it directly');
});

describe('slipway admin projects', () => {
  it('sets a budget as totals, and says what comes next', async () => {
    const { runAdmin, written } = await startService({
      'PUT /admin/projects/hpc_one/lab_42/budget/': { ...led, leaders: [] },
    });
    const words = ['100', '--space', '100GB', '--until', '2027-12-31'];
    const { out } = await runAdmin('budget', 'lab_42', ...words, ...why);
    expect(out).toContain('Budget     lab_42: 60 of 100 node-hours');
    expect(out).toContain('Next:      slipway admin projects leaders add lab_42 USER');
    expect(written()).toEqual([
      {
        call: 'PUT /admin/projects/hpc_one/lab_42/budget/',
        body: {
          set: { time: 100 * hour, space: 100_000_000 },
          valid_until: '2027-12-31',
          reason: 'as planned',
        },
      },
    ]);
  });

  it('renews a budget from a month that is written in the language of the reader', async () => {
    const { runAdmin, written } = await startService();
    const words = ['100', '--every', 'yearly', '--on', '1. März', '--lang', 'de'];
    await runAdmin('budget', 'lab_42', ...words, ...why);
    speakEnglish();
    expect(written()).toMatchObject([{ body: { renews: { every: 'yearly', on: 1, month: 3 } } }]);
  });

  it.each([
    [
      ['--shared', '--group', 'lab-42'],
      { shared: true, members: { group: 'lab-42' } },
      'admin projects budget lab_42',
    ],
    [['--no-shared', '--no-group'], { shared: false, members: null }, 'admin grant USER lab_42'],
    [[], {}, 'admin grant USER lab_42'],
  ])('opens a project with %j', async (options, body, next) => {
    const { runAdmin, written } = await startService({
      'PUT /admin/projects/hpc_one/lab_42/': {
        ...project,
        ...(options[0] === '--shared' && { shared: true }),
      },
    });
    const { out } = await runAdmin('open', 'hpc_one/lab_42', ...options, ...why);
    expect(out).toContain(next);
    expect(written().map((each) => each.body)).toEqual([{ ...body, reason: 'as planned' }]);
  });

  it.each([
    [['budget', 'lab_42'], 'The new budget is missing.'],
    [['budget', 'lab_42', '--every', 'monthly'], 'The amount of the renewal is missing.'],
    [['leaders', 'add', 'lab_42', 'ada'], 'Write the number of the user'],
  ])('refuses %j', async (words, message) => {
    const { runAdmin, written } = await startService();
    const { code, err } = await runAdmin(...words, ...why);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(written()).toEqual([]);
  });

  it.each([
    ['add', ['306330', '306331'], ['306328', '306330', '306331']],
    ['add', ['306328'], ['306328']],
    ['remove', ['306328'], []],
  ])('leaders %s %j sends all leaders', async (verb, users, leaders) => {
    const { runAdmin, written } = await startService({
      'PUT /admin/projects/hpc_one/lab_42/leaders/': { ...led, leaders },
    });
    const { out } = await runAdmin('leaders', verb, 'lab_42', ...users, ...why);
    expect(out).toContain(`Leaders    lab_42: ${leaders.join(', ') || 'nobody'}`);
    expect(written()).toEqual([
      {
        call: 'PUT /admin/projects/hpc_one/lab_42/leaders/',
        body: { leaders, reason: 'as planned' },
      },
    ]);
  });
});
