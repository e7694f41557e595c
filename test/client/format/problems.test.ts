import { describe, expect, it } from 'vitest';
import { explain } from '#client/src/cli/terminal/outcome.ts';
import { describeChange } from '../../../client/src/changes/describe-change.ts';
import { describeRefusal } from '../../../client/src/changes/describe-refusal.ts';
import { SlipwayProblem } from '../../../client/src/index.ts';

const place = { project_hpc: 'HPC_ONE', project_name: 'course' } as const;

function tell(name: string, members: object, detail = 'As the service says it.') {
  return describeRefusal({ type: `urn:slipway:problem:${name}`, title: 'T', detail, ...members });
}

const asked = { time: 512 * 24 * 3600, space: 1 };
const left = { time: 17_916_480, space: 9_999_999 };

describe('a quota that is too small', () => {
  it.each([
    ['node', '12,288 node-hours were requested, but only 4,976.8 node-hours remain'],
    ['core', '12,288 core-hours were requested, but only 4,976.8 core-hours remain'],
    ['wall-clock', '12,288 hours were requested, but only 4,976.8 hours remain'],
  ])('has both figures in the unit of a system that charges by %s', (charging, words) => {
    const members = { ...place, charging, asked, left };
    expect(tell('quota-exceeded', members)).toBe(
      `The quota of course on hpc_one is too small: ${words}.`,
    );
  });

  it('names the missing space, but no time if enough remains', () => {
    const members = {
      ...place,
      asked: { time: 0, space: 20_001 },
      left: { time: 5, space: 5_999 },
    };
    expect(tell('quota-exceeded', members)).toBe(
      'The quota of course on hpc_one is too small: 20 MB of space were requested, but only 5.9 MB remain.',
    );
  });

  it('is explained by the command with one next step', () => {
    const problem = new SlipwayProblem({
      type: 'urn:slipway:problem:quota-exceeded',
      title: 'The quota is too small',
      status: 403,
      detail: '44236800 seconds of time were asked for, but only 17916480 are left.',
      ...place,
      charging: 'node',
      asked,
      left,
    });
    expect(explain(problem, false).lines).toEqual([
      'The quota of course on hpc_one is too small: 12,288 node-hours were requested, but only 4,976.8 node-hours remain.',
      'Request less, or ask for a larger quota: slipway ask --help',
    ]);
  });
});

describe('a job that is not there', () => {
  it('is told without words of the interface', () => {
    const told = tell('job-not-found', {});
    expect(told).toContain('You have no such job here.');
    expect(told).not.toContain('?');
  });
});

describe('a quota that is in use', () => {
  const balance = { granted: 0, left: 0, held: 7_200, used: 0 };
  const members = { ...place, charging: 'core', time: balance, space: balance, living_jobs: 1 };

  it('gives the lowest possible total', () => {
    const lowest = { time: 7_200, space: 5 };
    expect(tell('quota-in-use', { ...members, lowest })).toBe(
      'The account of course on hpc_one cannot be set below 2 core-hours and 5 KB of space: that much ' +
        'is used, reserved or shared out. Set that or more, delete ended jobs, or take shares back first.',
    );
  });

  it('blames no job where none has used anything', () => {
    const time = { granted: 72_000, left: 72_000, held: 0, used: 0 };
    const space = { granted: 5, left: 5, held: 0, used: 0 };
    const lowest = { time: 0, space: 0 };
    expect(tell('quota-in-use', { ...members, time, space, lowest })).toBe(
      'The account of course on hpc_one has only 20 core-hours and 5 KB of space. Take that or less.',
    );
  });

  it.each([
    [{ ended_jobs: 3 }, 'Cancel the active jobs and delete the ended ones first.'],
    [{ living_jobs: 0, ended_jobs: 0 }, 'No job explains this'],
    [{ ended_jobs: 3, discarded_jobs: 70 }, '70 were cancelled or deleted this time.'],
  ])('with %j says what to do', (jobs, words) => {
    const told = tell('quota-in-use', { ...members, ...jobs });
    expect(told).toContain('which reserve 2 core-hours and 7.2 MB of space.');
    expect(told).toContain(words);
  });
});

describe('other problems', () => {
  it('keep the words of the service, whatever numbers they contain', () => {
    const detail = 'Try again in 7200 seconds, with less than 10 kilobytes.';
    expect(tell('system-busy', {}, detail)).toBe(detail);
    expect(tell('quota-exceeded', {}, detail)).toBe(detail);
    expect(tell('quota-in-use', {}, detail)).toBe(detail);
  });

  it('show sizes if uploads are too large together', () => {
    expect(tell('uploads-too-large', { limit: 5_000, count: 9_000 })).toContain(
      'have 9 MB together, but your quotas have 5 MB left',
    );
  });
});

describe('a change of a renewal', () => {
  const facts = (side: 'before' | 'after', other: 'before' | 'after') =>
    Object.fromEntries(
      Object.entries({
        renews: 'words that nobody reads numbers from: 7200 seconds',
        renews_every: 'quarterly',
        renews_on: 1,
        renews_month: 10,
        renews_time: 360_000,
        renews_space: 0,
        carries_over_time: 72_000,
        carries_over_space: 1_000_000_000_000_000,
      }).map(([name, value]) => [name, { [side]: value, [other]: null }]),
    ) as Parameters<typeof describeChange>[0];
  const words =
    'quarterly from month 10 on day 1 to 100 core-hours, carrying over up to 20 core-hours and all space';

  it('is described from its facts, in the unit of its system', () => {
    expect(describeChange(facts('after', 'before'), 'core')).toBe(`no renewal → ${words}`);
    expect(describeChange(facts('before', 'after'), 'core')).toBe(`${words} → no renewal`);
  });

  it.each([
    [{ leaders: { before: null, after: '306328, 42' } }, 'leaders: none → 306328, 42'],
    [
      {
        project: 7,
        description: { before: null, after: 'Ice cores' },
        max_living_jobs: { before: null, after: 10_000 },
        state: { before: null, after: 'open' },
      },
      'description: none → Ice cores, active jobs at most: none → 10,000, state: none → open',
    ],
    [
      { window: 'w1', until: { before: '2026-11-20T08:00:00.000Z', after: null } },
      // In the reader's time zone, whichever it is.
      expect.stringMatching(/^until: 2026-11-\d\d \d\d:\d\d → none$/),
    ],
    [{ files: 3, bytes: 12 }, 'files: 3'],
  ])('names the facts of projects and windows: %j', (change, words) => {
    expect(describeChange(change, 'node')).toEqual(words);
  });

  it('keeps its stored words if the record has no facts', () => {
    const change = { renews: { before: null, after: 'monthly on day 1 to 3600 seconds' } };
    expect(describeChange(change, 'node')).toBe('no renewal → monthly on day 1 to 3600 seconds');
  });
});
