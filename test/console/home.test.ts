import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '#client/src/index.ts';
import { countByMeaning } from '#console/src/home/home-page.tsx';
import {
  findOldestActive,
  gatherJobs,
  noteOldestActive,
  noteVisit,
} from '#console/src/home/use-home-jobs.ts';
import { takeAttempt } from '#console/src/sign-in/attempt.ts';
import { recallUser } from '#console/src/sign-in/sign-in-on-laptop.ts';
import {
  recallLast,
  recallSubmission,
  rememberSubmission,
} from '#console/src/submit/begin-draft.ts';
import { emptyDraft } from '#console/src/submit/draft.ts';
import { stageOf } from './stages.ts';

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', storage);
});

afterEach(() => vi.unstubAllGlobals());

const minute = 60_000;
const start = new Date('2026-11-15T08:00:00Z');
const later = (minutes: number) => new Date(start.getTime() + minutes * minute);

describe('a visit', () => {
  it('has no visit before it the first time, even after a reload', () => {
    expect(noteVisit(start)).toBeUndefined();
    expect(noteVisit(later(10))).toBeUndefined();
  });

  it('follows the last visit, not the last reload', () => {
    noteVisit(start);
    noteOldestActive('2026-11-14T00:00:00Z');
    const last = { at: start.toISOString(), oldestLiving: '2026-11-14T00:00:00Z' };
    expect(noteVisit(later(60))).toEqual(last);
    expect(noteVisit(later(61))).toEqual(last);
    expect(noteVisit(later(120))).toEqual({ at: later(61).toISOString() });
  });
});

const damage = [
  ['cut off', '{"here":'],
  ['null', 'null'],
  ['a number', '7'],
  ['a list', '[1]'],
  ['of other types', '{"here":5,"before":{"at":"never"},"nodes":3,"fields":7,"A":1,"user":{}}'],
] as const;

describe('damaged storage', () => {
  it.each(damage)('that is %s does not break a page', (_, text) => {
    const all = ['slipway-visits', 'slipway-last-submission-7', 'slipway-submissions'];
    for (const key of [...all, 'slipway-laptop-user', 'slipway-sign-in-s']) stored.set(key, text);
    expect(recallLast('7')).toEqual(emptyDraft);
    expect(recallSubmission('A')).toBeUndefined();
    expect(recallUser()).toBeUndefined();
    expect(takeAttempt('s')).toBeUndefined();
    expect(noteVisit(start)).toBeUndefined();
    rememberSubmission({ user: '7', of: 'A' }, { ...emptyDraft, program: 'ls' }, undefined);
    expect(recallSubmission('A')?.draft.program).toBe('ls');
    expect(recallLast('7').program).toBe('ls');
    expect(recallLast('8')).toEqual(emptyDraft);
  });

  it('that the browser forbids does not break a page', () => {
    const forbid = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    const storage = { getItem: forbid, setItem: forbid, removeItem: forbid };
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('sessionStorage', storage);
    expect(noteVisit(start)).toBeUndefined();
    expect(recallLast('7')).toEqual(emptyDraft);
    rememberSubmission({ user: '7', of: 'A' }, emptyDraft, undefined);
    expect(recallUser()).toBeUndefined();
  });
});

const job: Job = {
  id: 1,
  job_id: 'A',
  owner: '306328',
  project_hpc: 'HPC_ONE',
  project_name: 'p',
  title: '',
  runtime: 1,
  init_date: '2026-11-15T06:00:00Z',
  end_date: '2026-11-15T07:30:00Z',
  stage: 'SUCCESSFUL',
  terminal_stage: true,
  failed: false,
} as Job;

const active = { stage: 'RUNNING', terminal_stage: false, end_date: null } as const;
const complete = { active: false, ended: false };

describe('the numbers of Home', () => {
  const many = Array.from({ length: 320 }, (_, id) => ({ ...job, id, job_id: `J${id}` }));

  it('count all jobs that ended since the last visit', () => {
    const jobs = gatherJobs(many.slice(220), many);
    const since = '2026-11-15T07:00:00Z';
    expect(countByMeaning({ jobs, mayHaveMore: complete, since, stageOf })).toMatchObject([
      { count: '0', name: 'running' },
      { count: '0', name: 'waiting' },
      { count: '320', name: 'ended since your last visit' },
    ]);
  });

  it('say that there may be more if a list was cut off', () => {
    const since = '2026-11-15T07:00:00Z';
    const counted = countByMeaning({
      jobs: many,
      mayHaveMore: { active: true, ended: true },
      since,
      stageOf,
    });
    expect(counted.map(({ count }) => count)).toEqual(['0+', '0+', '320+']);
  });

  it('do not mention a last visit on the first one', () => {
    const counted = countByMeaning({
      jobs: many,
      mayHaveMore: complete,
      since: undefined,
      stageOf,
    });
    expect(counted.map(({ name }) => name)).toEqual(['running', 'waiting']);
  });

  it.each([
    [0, []],
    [1, ['1 open request']],
    [100, ['100+ open requests']],
  ])('tell an administrator of %i open requests', (requests, told) => {
    const counted = countByMeaning({
      jobs: [],
      mayHaveMore: complete,
      since: undefined,
      stageOf,
      requests,
    });
    expect(counted.slice(2).map(({ count, name }) => `${count} ${name}`)).toEqual(told);
  });

  it('use the newest state of each job, without deleted jobs', () => {
    const before = [
      { ...job, ...active },
      { ...job, id: 2, job_id: 'B', stage: 'DELETED' },
    ];
    expect(gatherJobs([job], before)).toEqual([job]);
  });

  it('reach back to the oldest active job', () => {
    const old = { ...job, ...active, init_date: '2026-11-01T00:00:00Z' };
    const now = '2026-11-15T07:00:00Z';
    expect(findOldestActive([job, old], now)).toBe(old.init_date);
    expect(findOldestActive([job], now)).toBe(job.init_date);
    expect(findOldestActive([job], '2026-11-15T08:00:00Z')).toBe('2026-11-15T08:00:00Z');
  });
});
