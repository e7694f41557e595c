import { describe, expect, it, onTestFinished } from 'vitest';
import { removeWithJobs } from '#client/src/changes/remove-with-jobs.ts';
import { writeShortId } from '#client/src/format/jobs/write-short-id.ts';
import { problems as problemClasses, type Quota } from '#client/src/index.ts';
import { chooseLanguage, speakEnglish } from '#client/src/words/language.ts';
import { askForActs, readAuditFilters } from '#console/src/admin/audit-page.tsx';
import { readSearch, startsWith } from '#console/src/admin/frame/admin-search.tsx';
import { readFields } from '#console/src/admin/parts/read-fields.ts';
import { checkNumber, describeErasure } from '#console/src/admin/people/data-of-person.tsx';
import {
  describeBans,
  matches,
  readSorting,
  sortPeople,
} from '#console/src/admin/people/people-page.tsx';
import { readRenewal, writeRenewal } from '#console/src/admin/people/renew-dialog.tsx';
import {
  readBudget,
  readUsers,
  writeGranted,
} from '#console/src/admin/projects/budget-section.tsx';
import { readShare } from '#console/src/admin/projects/members-section.tsx';
import { readProject } from '#console/src/admin/projects/project-dialog.tsx';
import { chooseProjects } from '#console/src/admin/projects/projects-page.tsx';
import {
  beginDecision,
  compareDecision,
  leavesNoSpace,
  readDecision,
} from '#console/src/admin/requests/approve-dialog.tsx';
import { describeHistory, stackDay } from '#console/src/admin/system-history.tsx';
import { describeSpending, sumUpSystem } from '#console/src/admin/systems-page.tsx';
import { adminAddress, pageAt } from '#console/src/browser/address.ts';
import { stageOf } from './stages.ts';

const now = new Date('2026-11-15T08:30:00Z');
const project = (name: string, hpc = 'HPC_ONE') => ({
  id: 1,
  project_hpc: hpc,
  project_name: name,
  default: false,
  max_living_jobs: 1000,
});
const projects = [
  project('proj_hpc_one_01'),
  project('proj_hpc_two_01', 'HPC_TWO'),
  project('course'),
];

describe('the search of administrators', () => {
  it.each([
    ['306328', { kind: 'person', user: '306328' }],
    [' 306328 ', { kind: 'person', user: '306328' }],
    [
      'af17d39a-0000-4000-8000-0123456789ab',
      { kind: 'job', jobId: 'AF17D39A-0000-4000-8000-0123456789AB' },
    ],
    [
      `NGBW-JOB-NEURON74_TG-${'1A'.repeat(16)}`,
      { kind: 'job', jobId: `NGBW-JOB-NEURON74_TG-${'1A'.repeat(16)}` },
    ],
    ['course', { kind: 'projects', projects: [project('course')] }],
    ['TWO', { kind: 'projects', projects: [project('proj_hpc_two_01', 'HPC_TWO')] }],
    ['nothing', { kind: 'projects', projects: [] }],
  ])('reads %s', (text, found) => {
    expect(readSearch(text, projects)).toEqual(found);
  });

  it('finds only that project by its whole name', () => {
    const both = [project('course'), project('course_2027')];
    expect(readSearch('course', both)).toEqual({ kind: 'projects', projects: [project('course')] });
  });
});

describe('erasing a person', () => {
  it.each([
    ['306328', []],
    [' 306328 ', []],
    ['', ['number']],
    ['30632', ['number']],
    ['306329', ['number']],
  ])('needs their number: %j', (typed, wrong) => {
    expect([...checkNumber(typed, '306328').keys()]).toEqual(wrong);
  });

  it('says until when names of tokens do not count, or that nothing was left', () => {
    const erasure = {
      user: '306328',
      erased: '2026-11-15T08:30:00Z',
      names_return: '2026-12-15T08:30:00Z',
      stays: [],
    };
    expect(describeErasure({ ...erasure, removed: ['name'] })).toBe(
      'The data of 306328 are erased. Names in new tokens are kept again from 15 December 2026.',
    );
    expect(describeErasure({ ...erasure, removed: [] })).toBe('Nothing was left to erase.');
  });
});

describe("an administrators' address", () => {
  it.each([
    [adminAddress.person('306328'), ['people', '306328']],
    [adminAddress.project(project('course')), ['projects', 'hpc_one', 'course']],
    [
      adminAddress.job({ project_hpc: 'HPC_ONE', project_name: 'course', job_id: 'A-1' }),
      ['jobs', 'hpc_one', 'course', 'A-1'],
    ],
    [adminAddress.ledger('7', project('course')), ['people', '7', 'hpc_one', 'course']],
  ])('%s leads to its page', (address, rest) => {
    expect(pageAt(address.slice('/console'.length))).toEqual({ name: 'admin', rest });
  });
});

/** A quota that was granted kilobytes. */
const quotaOf = (granted: number): Quota => ({
  id: 1,
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'course',
  space_left: granted,
  time_left: 0,
  user: '306328',
  usage: {
    time: { granted: 0, left: 0, held: 0, used: 0 },
    space: { granted, left: granted, held: 0, used: 0 },
    living_jobs: 0,
    valid_until: null,
    renews: null,
    banned: null,
  },
});

describe('a decision about a request', () => {
  const asked = { time: 1_800_001, space: 1000 };
  const inNodes = { charging: 'node', now } as const;
  const begun = beginDecision(asked, 'node');

  it('grants exactly what was asked for, unless an amount is changed', () => {
    expect(begun).toEqual({ time: '500 node-hours', space: '1 MB', until: '' });
    const { problems, body } = readDecision(begun, asked, inNodes);
    expect({ problems: [...problems], body }).toEqual({ problems: [], body: {} });
    expect(compareDecision(body, asked)).toBe('same');
  });

  it('keeps one amount when the other is changed', () => {
    const { body } = readDecision({ ...begun, time: '200' }, asked, inNodes);
    expect(body).toEqual({ time: 720_000, space: 1000 });
    expect(compareDecision(body, asked)).toBe('less');
  });

  it('uses the unit of the system', () => {
    expect(beginDecision(asked, 'core').time).toBe('500 core-hours');
    const draft = { ...begun, time: 'much' };
    const { problems } = readDecision(draft, asked, { charging: 'wall-clock', now });
    expect(problems.get('time')).toBe('Enter an amount, such as 500 hours.');
  });

  it('starts with amounts as they can be typed, in every language', async () => {
    onTestFinished(speakEnglish);
    await chooseLanguage(['de'], { de: () => import('#console/src/german/german.ts') });
    const large = { time: 5_400_000, space: 1_500_000 };
    const { time, space } = beginDecision(large, 'node');
    const typed = { time: `${time} `, space: `${space} `, until: '' };
    expect(readDecision(typed, large, inNodes).body).toEqual(large);
  });

  it('is more if either amount is more', () => {
    const { body } = readDecision({ ...begun, time: '1', space: '1 GB' }, asked, inNodes);
    expect(compareDecision(body, asked)).toBe('more');
  });

  it.each([
    ['somebody without a quota, who asked for none', {}, { time: 60, space: 0 }, undefined, true],
    ['somebody without space, who gets time only', { time: 60 }, asked, 0, true],
    ['somebody without space, who gets some', {}, asked, 0, false],
    ['somebody without space, who gets other', { time: 60, space: 5 }, asked, 0, false],
    ['somebody who has space', {}, { time: 60, space: 0 }, 1, false],
  ])('leaves without space, or not: %s', (_, decision, wanted, granted, leaves) => {
    expect(
      leavesNoSpace(decision, wanted, granted === undefined ? undefined : quotaOf(granted)),
    ).toBe(leaves);
  });

  it('can set or remove the end date', () => {
    const until = (text: string) => readDecision({ ...begun, until: text }, asked, inNodes).body;
    expect(until('31 March')).toEqual({ valid_until: '2027-03-31' });
    expect(until('never')).toEqual({ valid_until: null });
  });

  it.each([
    [{ time: 'much' }, 'time'],
    [{ time: '', space: '' }, 'time'],
  ])('with %j is not sent', (change, name) => {
    const { problems } = readDecision({ ...begun, ...change }, asked, inNodes);
    expect([...problems.keys()]).toEqual([name]);
  });
});

describe('a share of a budget', () => {
  const draft = { user: '306330', time: '', space: '', until: '' };
  const read = (change: Partial<typeof draft>, act: 'invite' | 'give' | 'take') => {
    const { problems, share } = readShare({ ...draft, ...change }, act, now);
    return { wrong: [...problems.keys()], share };
  };

  it('may be nothing for somebody new, and only for them', () => {
    expect(read({}, 'invite')).toEqual({ wrong: [], share: { time: 0 } });
    expect(read({}, 'give').wrong).toEqual(['time']);
    expect(read({}, 'take').wrong).toEqual(['time']);
  });

  it('is given or taken', () => {
    const change = { time: '2 node-hours', space: '1 MB', until: '31 March' };
    const share = { time: 7200, space: 1000, until: '2027-03-31' };
    expect(read(change, 'give')).toEqual({ wrong: [], share });
    expect(read({ time: '2' }, 'take').share.time).toBe(-7200);
  });

  it('is not taken back beyond what the member has', () => {
    const usage = {
      time: { granted: 7200, left: 0, held: 0, used: 7200 },
      space: { granted: 1000, left: 1000, held: 0, used: 0 },
      living_jobs: 0,
      valid_until: null,
      renews: null,
      banned: null,
    };
    const place = { project: 7, project_hpc: 'HPC_ONE', project_name: 'lab_42' };
    const quota = { id: 3, ...place, user: '306330', time_left: 0, space_left: 1000, usage };
    const take = (change: Partial<typeof draft>) =>
      readShare({ ...draft, ...change }, 'take', now, quota).problems.get('time');
    expect(take({ time: '3' })).toContain('306330 has only 2 ');
    expect(take({ space: '2 MB' })).toContain('and 1 MB of space here');
    expect(take({ time: '2', space: '1 MB' })).toBeUndefined();
  });

  it('is not sent with what cannot be read', () => {
    expect(read({ user: 'ada', time: '-5' }, 'invite').wrong).toEqual(['time', 'user']);
  });
});

describe('a budget', () => {
  const begun = { time: '100 node-hours', space: '10 GB', until: '' };
  const read = (change: Partial<typeof begun>) => {
    const { problems, body } = readBudget({ ...begun, ...change }, begun, now);
    return { wrong: [...problems.keys()], body };
  };

  it('is sent as totals, without what is unchanged', () => {
    expect(read({ time: '200' })).toEqual({ wrong: [], body: { set: { time: 720_000 } } });
    expect(read({ until: 'never' })).toEqual({ wrong: [], body: { valid_until: null } });
    expect(read({ space: '' })).toEqual({ wrong: [], body: { set: { space: 0 } } });
    expect(read({}).wrong).toEqual(['time']);
    expect(read({ time: 'much', space: '10' }).wrong).toEqual(['time', 'space']);
  });

  it('is offered as it can be typed, in every language', async () => {
    const granted = { time: { granted: 36_000_000 }, space: { granted: 1_500_000 } };
    expect(writeGranted(granted, 'node')).toMatchObject({
      time: '10,000 node-hours',
      space: '1.5 GB',
    });
    onTestFinished(speakEnglish);
    await chooseLanguage(['de'], { de: () => import('#console/src/german/german.ts') });
    const offered = writeGranted(granted, 'node');
    const { body } = readBudget(offered, { time: '', space: '', until: '' }, now);
    expect(body).toEqual({ set: { time: 36_000_000, space: 1_500_000 } });
  });

  it('has leaders, whose numbers are between commas or spaces', () => {
    const problems = new Map();
    expect(readUsers(' 306328, 7;8 ')).toEqual({ users: ['306328', '7', '8'], problems });
    expect(readUsers('')).toEqual({ users: [], problems });
    expect(readUsers('306328 ada').problems.get('leaders')).toMatch(/^'ada' is not a user number/);
  });
});

describe('time, space and the last day', () => {
  const empty = { time: '', space: '', until: '' };
  const read = (change: Partial<typeof empty>) => {
    const words = { time: 'Enter a time.', space: 'Enter a size.' };
    const { problems, ...found } = readFields({ ...empty, ...change }, now, words);
    return { found, problems: Object.fromEntries(problems) };
  };

  it.each([
    [{}, {}],
    [{ until: '  ' }, {}],
    [
      { time: '2 node-hours', space: '1.0004 MB' },
      { time: 7200, space: 1001 },
    ],
    [
      { time: '0', space: '0 GB' },
      { time: 0, space: 0 },
    ],
    [{ until: 'Never' }, { end: null }],
    [{ until: '2 weeks' }, { end: '2026-11-29' }],
  ])('are read: %j', (change, found) => {
    expect(read(change)).toEqual({ found, problems: {} });
  });

  it.each([
    [{ time: 'much' }, { time: 'Enter a time.' }],
    [
      { time: '-5', space: '-5 GB' },
      { time: 'Enter a time.', space: 'Enter a size.' },
    ],
    [{ space: '10' }, { space: 'Enter a size.' }],
    [{ until: 'tomorrowish' }, { valid_until: expect.stringMatching(/31 March/) }],
  ])('say what is wrong: %j', (change, problems) => {
    expect(read(change).problems).toEqual(problems);
  });
});

describe('the filters of the audit', () => {
  it('become a request', () => {
    const query = new URLSearchParams(
      'kind=user-banned&by=slipway&user=306328&since=2026-11-01&until=2026-11-30',
    );
    const { asked, problems } = askForActs(readAuditFilters(query));
    expect(asked).toEqual(Object.fromEntries(query));
    expect(problems.size).toBe(0);
  });

  it('report invalid values', () => {
    const query = new URLSearchParams('kind=gift&user=ada&by=ada&since=yesterday');
    const { asked, problems } = askForActs(readAuditFilters(query));
    expect(asked).toEqual({});
    expect([...problems.keys()].toSorted()).toEqual(['by', 'since', 'user']);
  });
});

describe('bans', () => {
  it('are listed with project and reason', () => {
    const bans = [{ project_hpc: 'HPC_ONE', project_name: 'course', reason: 'it is over' }];
    expect(describeBans({ banned: null, bans: [] })).toBe('');
    expect(describeBans({ banned: 'mined coins', bans })).toBe(
      'everywhere: mined coins; course: it is over',
    );
  });
});

describe('removing a quota with its jobs', () => {
  const removal = {
    user_id: '7',
    hpc: 'hpc_one',
    project_name: 'course',
    body: { reason: 'left' },
  };

  function refuse(...left: readonly number[]) {
    const waiting = [...left];
    const calls: boolean[] = [];
    return {
      calls,
      removeQuota: async ({ with_jobs: withJobs = false }) => {
        calls.push(withJobs);
        const active = waiting.shift();
        if (active === undefined) return JSON.parse('{}');
        throw new problemClasses['quota-in-use']({
          type: 'urn:slipway:problem:quota-in-use',
          title: '',
          status: 409,
          detail: `${active} left`,
          living_jobs: active,
          ended_jobs: 1,
        });
      },
    };
  }

  it('continues while fewer jobs remain', async () => {
    const service = refuse(500, 200, 1);
    await removeWithJobs(service, removal);
    expect(service.calls).toEqual([true, true, true, true]);
  });

  it('fails with the last refusal if no fewer jobs remain', async () => {
    const service = refuse(500, 500, 1);
    await expect(removeWithJobs(service, removal)).rejects.toThrow('500 left');
    expect(service.calls).toHaveLength(2);
  });
});

describe('the list of projects', () => {
  const project = (name: string, description = '') => ({
    id: 1,
    project_name: name,
    project_hpc: name.startsWith('ice') ? 'HPC_TWO' : 'HPC_ONE',
    description,
    max_living_jobs: 1,
    default: false,
  });
  const projects = [project('lab_10'), project('ice', 'Sea level'), project('lab_9', 'sea ice')];

  it.each([
    ['', ['ice', 'lab_9', 'lab_10']],
    ['lab', ['lab_9', 'lab_10']],
    ['HPC_two', ['ice']],
    ['ice  sea', ['ice', 'lab_9']],
    [' sea ice one ', ['lab_9']],
    ['river', []],
  ])('is searched for %j and sorted', (wanted, names) => {
    const chosen = chooseProjects(projects, wanted).map(({ project_name: name }) => name);
    expect(chosen).toEqual(names);
  });
});

describe('a project', () => {
  const draft = { name: 'course_2027', description: 'Neurons', mostJobs: '20' };

  it('is sent with the changed fields only', () => {
    expect(readProject(draft).body).toEqual({ description: 'Neurons', max_living_jobs: 20 });
    expect(readProject({ ...draft, mostJobs: '' }, { description: 'Neurons' }).body).toEqual({});
    expect(readProject({ ...draft, description: '' }, { description: 'Neurons' }).body).toEqual({
      description: '',
      max_living_jobs: 20,
    });
  });

  it('can be shared, and have a group', () => {
    const unchanged = { name: 'lab_42', description: '', mostJobs: '' };
    const both = { shared: true, members: { group: 'lab-42' } } as const;
    const shared = { ...unchanged, shared: true, group: ' lab-42 ' };
    expect(readProject(shared).body).toEqual(both);
    expect(readProject(shared, both).body).toEqual({});
    expect(readProject(unchanged, both).body).toEqual({ shared: false, members: null });
  });

  it.each([
    [{ name: 'Course' }, 'any_project_name'],
    [{ name: '2027' }, 'any_project_name'],
    [{ name: `a${'b'.repeat(63)}` }, 'any_project_name'],
    [{ mostJobs: '0' }, 'max_living_jobs'],
    [{ mostJobs: 'many' }, 'max_living_jobs'],
  ])('with %j is not sent', (change, name) => {
    expect([...readProject({ ...draft, ...change }).problems.keys()]).toEqual([name]);
  });
});

describe('the load of a system', () => {
  it('counts active jobs and finds the longest wait', () => {
    const job = (id: number, stage: string) => ({
      id,
      stage,
      terminal_stage: false,
      failed: false,
      end_date: null,
      init_date: '2026-11-15T08:00:00Z',
      job_id: `J${id}`,
      owner: '7',
      project: 1,
      project_hpc: 'HPC_ONE',
      project_name: 'course',
      runtime: 1,
      title: '',
    });
    const load = sumUpSystem([job(1, 'RUNNING'), job(2, 'QUEUED'), job(3, 'READY')], stageOf);
    expect(load).toMatchObject({ waiting: 2, running: 1, longest: { job_id: 'J2' } });
    expect(sumUpSystem([], stageOf)).toEqual({ waiting: 0, running: 0, longest: undefined });
  });
});

describe('what the month costs on AWS Batch', () => {
  const spending = {
    estimate: 12.4,
    used: 10,
    held: 2.4,
    budget: 100,
    opens_at: '2026-12-01T00:00:00Z',
  };

  it('is told beside the budget', () => {
    expect(describeSpending(spending)).toBe(
      'AWS Batch costs about 12.40 USD of the 100.00 USD for this month: 10.00 USD for ended jobs, up to 2.40 USD for active ones.',
    );
  });

  it('tells when submissions are paused, and until when', () => {
    expect(describeSpending({ ...spending, estimate: 100, used: 97.6 })).toMatch(
      / Submissions are paused until 1 December, or until jobs end before their time\.$/,
    );
  });

  it('tells that there is no budget', () => {
    expect(describeSpending({ ...spending, budget: null })).toMatch(/ There is no budget\.$/);
  });
});

describe('finding by a part', () => {
  it('takes the start of a job id, whole or as the lists show it', () => {
    const id = '2A77312F-9E15-4FE3-9F84-0EAEB4CC94AA';
    expect(startsWith(id, '2A77312F')).toBe(true);
    expect(startsWith(id, '2A77312F-9E15')).toBe(true);
    expect(startsWith(id, '9E15')).toBe(false);
    const nsg = 'NGBW-JOB-NEURON74_TG-85CB59F5CD5A4FBCBCBA5DABCC420280';
    expect(startsWith(nsg, writeShortId(nsg))).toBe(true);
  });

  it('takes a part of a number, of a sign-in or of the reason of a ban', () => {
    const person = { user: '306328', subject: 'ada@example.com', banned: 'left', bans: [] };
    const named = { ...person, name: 'Ada Lovelace', email: 'al@example.org' };
    for (const part of ['lovelace', 'al@']) expect(matches(named, part)).toBe(true);
    for (const part of ['', '6328', 'ADA@', 'left']) expect(matches(person, part)).toBe(true);
    expect(matches(person, 'bob')).toBe(false);
  });
});

describe('a renewal', () => {
  const typed = { every: 'quarterly', on: '1 October', time: '100', carryOver: '20 node-hours' };

  it('keeps space as it is, unless it renews already', () => {
    expect(readRenewal(typed, null).renews).toEqual({
      every: 'quarterly',
      on: 1,
      month: 10,
      to: { time: 360_000, space: 0 },
      carry_over: { time: 72_000, space: 1_000_000_000_000_000 },
    });
    const before = { to: { time: 1, space: 5 }, carry_over: { time: 1, space: 7 } };
    expect(readRenewal({ ...typed, on: '3rd', carryOver: '' }, before).renews).toEqual({
      every: 'quarterly',
      on: 3,
      to: { time: 360_000, space: 5 },
      carry_over: { time: 0, space: 7 },
    });
  });

  it('is stopped by its period', () => {
    expect(readRenewal({ ...typed, every: 'never' }, null).renews).toBeNull();
  });

  it.each([
    [{ on: '1 Smarch' }, ['on']],
    [{ every: 'monthly' }, ['on']],
    [{ time: '' }, ['time']],
    [{ time: '-5', carryOver: 'some' }, ['time', 'carryOver']],
  ])('with %o says what is wrong', (wrong, fields) => {
    const { renews, problems } = readRenewal({ ...typed, ...wrong }, null);
    expect(renews).toBeUndefined();
    expect([...problems.keys()]).toEqual(fields);
  });

  it('is written as it would be typed, and read back unchanged', () => {
    const renews = {
      every: 'yearly' as const,
      on: 1,
      month: 4,
      to: { time: 360_001, space: 0 },
      carry_over: { time: 3600, space: 0 },
      next: null,
    };
    const written = writeRenewal(renews, 'node');
    expect(written).toMatchObject({ every: 'yearly', on: '1 April' });
    expect(readRenewal(written, renews).renews).toEqual({
      every: 'yearly',
      on: 1,
      month: 4,
      to: renews.to,
      carry_over: renews.carry_over,
    });
    expect(writeRenewal(null, 'node')).toEqual({
      every: 'never',
      on: '1',
      time: '',
      carryOver: '',
    });
  });
});

describe('the order of people', () => {
  const person = (user: string, used: number, last: string | null) => ({
    user,
    first_seen: `2026-01-0${user}T00:00:00Z`,
    banned: null,
    bans: [],
    activity: { last_submission: last, time_used: used, jobs_ended: used === 0 ? 0 : 1 },
  });
  const people = [
    person('1', 0, '2026-11-15T08:00:00Z'),
    person('2', 7200, '2026-11-14T08:00:00Z'),
    person('3', 60, null),
  ];

  it.each([
    ['', ['1', '2', '3']],
    ['-user', ['3', '2', '1']],
    ['-seen', ['3', '2', '1']],
    ['-used', ['2', '3', '1']],
    ['used', ['3', '2', '1']],
    ['last', ['2', '1', '3']],
    ['-last', ['1', '2', '3']],
    ['-nothing', ['1', '2', '3']],
  ])('with %s has those without a value last', (sort, users) => {
    expect(sortPeople(people, readSorting(sort)).map(({ user }) => user)).toEqual(users);
  });
});

describe('the history of a system', () => {
  const well = { day: '2026-11-14', up: 1440, slow: 0, down: 0 };
  const unchecked = { day: '2026-11-13', up: 0, slow: 0, down: 0 };
  const bad = { day: '2026-11-15', up: 1370, slow: 9, down: 61 };

  it.each([
    [[unchecked, well], 'Answered 100 % of the checks on 1 day.'],
    [[well, bad], 'Answered 97.8 % of the checks on 2 days: slow for 9 min, down for 1 h 1 min.'],
    [
      [unchecked, { ...well, up: 100_000, down: 1 }],
      'Answered 99.9 % of the checks on 1 day: down for 1 min.',
    ],
  ])('says how often it answered, and never 100 % after an outage', (days, sentence) => {
    expect(describeHistory(days)).toBe(sentence);
  });

  it('fills a bar with what the day was, and shows a short outage', () => {
    expect(stackDay(unchecked)).toEqual([]);
    expect(stackDay(well)).toEqual([{ kind: 'up', from: 0, size: 40 }]);
    expect(stackDay({ ...well, up: 1439, down: 1 })).toEqual([
      { kind: 'down', from: 0, size: 5 },
      { kind: 'up', from: 5, size: 35 },
    ]);
    expect(stackDay({ ...well, up: 1, down: 1439 }).map(({ kind }) => kind)).toEqual([
      'down',
      'up',
    ]);
  });
});
