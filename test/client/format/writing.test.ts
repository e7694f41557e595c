import { describe, expect, it } from 'vitest';
import {
  joinCharging,
  writeLeft,
  writeNeed,
  writeNodeTime,
  writeRest,
  writeSize,
} from '#client/src/format/amounts/amounts.ts';
import { writeCount } from '#client/src/format/numbers/write-number.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import { measureRun, writeDuration } from '#client/src/format/times/duration.ts';
import { describeStages } from '../../../client/src/format/jobs/describe-stage.ts';
import {
  describeSimilar,
  describeUsage,
  writeUsedShare,
} from '../../../client/src/format/jobs/describe-usage.ts';
import { matchesId, writeShortId } from '../../../client/src/format/jobs/write-short-id.ts';
import { writeAge, writeBareAge } from '../../../client/src/format/times/write-age.ts';
import type { Timeline } from '../../../client/src/index.ts';

describe('quota time', () => {
  it.each([
    [18_000_000, '5,000 node-hours'],
    [17_997_120, '4,999.2 node-hours'],
    [3_600, '1 node-hour'],
    [-3_600, '-1 node-hour'],
    [3_599, '1 node-hour'],
    [0, '0 node-hours'],
    [1, '1 node-second'],
    [42, '42 node-seconds'],
    [-359, '-359 node-seconds'],
    [360, '0.1 node-hours'],
    [5_400, '1.5 node-hours'],
    [36_180, '10.05 node-hours'],
    [3_599_640, '999.9 node-hours'],
    [3_600_000, '1,000 node-hours'],
    [-72_000, '-20 node-hours'],
  ])('%d seconds are %s', (seconds, words) => {
    expect(writeNodeTime(seconds, 'node')).toBe(words);
  });

  it('has the unit that its system charges in', () => {
    expect(writeNodeTime(7_200, 'core')).toBe('2 core-hours');
    expect(writeNodeTime(3_600, 'wall-clock')).toBe('1 hour');
    expect(writeNodeTime(7_200, 'mixed')).toBe('2 charged hours');
  });

  it('has one unit if all systems charge alike, otherwise a neutral one', () => {
    expect(joinCharging(['core', 'core'])).toBe('core');
    expect(joinCharging(['core', 'node'])).toBe('mixed');
    expect(joinCharging([])).toBe('mixed');
  });

  it('is never rounded down if needed, nor up if remaining', () => {
    expect(writeNeed(3_600 * 4_976.2, 'node')).toBe('4,976.2 node-hours');
    expect(writeNeed(3_600 * 4_976 + 1, 'node')).toBe('4,976.01 node-hours');
    expect(writeRest(3_600 * 4_977 - 1, 'node')).toBe('4,976.99 node-hours');
  });
});

describe('remaining amounts', () => {
  it('have the precision of what is gone', () => {
    expect(writeLeft(17_998_200, 18_000_000)).toBe('4,999.5 of 5,000');
    expect(writeLeft(18_000_000, 18_000_000)).toBe('5,000 of 5,000');
    expect(writeLeft(17_999_998, 18_000_000)).toBe('4,999.99 of 5,000');
    expect(writeLeft(2, 18_000_000)).toBe('under 0.01 of 5,000');
    expect(writeLeft(3_599, 36_000)).toBe('0.99 of 10');
  });

  it('are never rounded up where they are asked for', () => {
    expect(writeRest(3_599, 'node')).toBe('0.99 node-hours');
    expect(writeRest(3_600, 'core')).toBe('1 core-hour');
  });
});

describe('sizes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1 KB'],
    [999_949, '999.9 KB'],
    [999_950, '1 MB'],
    [3_100_000, '3.1 MB'],
    [3_149_000, '3.1 MB'],
    [10_000_000_000, '10 GB'],
    [1_234_000_000_000, '1.2 TB'],
    [-5_000, '-5 KB'],
  ])('%d bytes are %s', (bytes, words) => {
    expect(writeSize(bytes)).toBe(words);
  });
});

describe('counts', () => {
  it.each([
    [0, '0 active jobs'],
    [1, '1 active job'],
    [1200, '1,200 active jobs'],
  ])('of %s are written as %s', (many, text) => {
    expect(writeCount(many, 'active job')).toBe(text);
  });
});

describe('durations', () => {
  it.each([
    [-3, '0 s'],
    [0, '0 s'],
    [59.4, '59 s'],
    [59.5, '1 min'],
    [90, '1 min 30 s'],
    [599, '9 min 59 s'],
    [600, '10 min'],
    [659, '10 min'],
    [3_599, '59 min'],
    [3_600, '1 h'],
    [9_000, '2 h 30 min'],
    [86_399, '23 h 59 min'],
    [86_400, '1 d'],
    [273_600, '3 d 4 h'],
  ])('%d seconds are %s', (seconds, words) => {
    expect(writeDuration(seconds)).toBe(words);
  });
});

describe('moments', () => {
  const now = new Date('2026-11-15T12:00:00Z');

  it.each([
    ['2026-11-15T12:00:00Z', 'now'],
    ['2026-11-15T11:56:00Z', '4 min ago'],
    ['2026-11-15T09:30:00Z', '2 h ago'],
    ['2026-11-12T12:00:00Z', '3 d ago'],
    ['2026-11-15T12:00:40Z', 'in 40 s'],
    ['2026-09-15T12:00:01Z', '60 d ago'],
    ['2026-09-15T12:00:00Z', '15 Sept 2026'],
    ['2019-02-08T12:00:00Z', '8 Feb 2019'],
    ['2027-01-15T11:59:59Z', 'in 60 d'],
    ['2027-01-15T12:00:00Z', '15 Jan 2027'],
  ])('%s is %s', (moment, words) => {
    expect(writeAge(moment, now)).toBe(words);
  });

  it('have no “ago” under a heading that says so', () => {
    expect(writeBareAge('2026-11-12T12:00:00Z', now)).toBe('3 d');
    expect(writeBareAge('2026-11-15T12:00:09Z', now)).toBe('0 s');
    expect(writeBareAge('2019-02-08T12:00:00Z', now)).toBe('8 Feb 2019');
  });

  it('are days in UTC', () => {
    expect(writeDay('2027-03-31T23:59:59.999Z')).toBe('31 March 2027');
  });
});

describe('stages', () => {
  const systems = [
    {
      project_hpc: 'HPC_TWO',
      stage_meanings: {
        QUEUE: 'waiting',
        QUEUED: 'waiting',
        INPUTSTAGING: 'starting',
        RUNNING: 'running',
        LOAD_RESULTS: 'finishing',
        SUCCESSFUL: 'done',
        COMPLETED: 'done',
        CANCELED: 'cancelled',
        DELETED: 'deleted',
      },
    },
  ] as const;

  it.each([
    ['QUEUED', false, false, '○ waiting'],
    ['QUEUE', false, false, '○ waiting'],
    ['INPUTSTAGING', false, false, '◔ starting'],
    ['RUNNING', false, false, '● running'],
    ['LOAD_RESULTS', false, false, '◕ finishing'],
    ['SUCCESSFUL', true, false, '✔ done'],
    ['COMPLETED', true, false, '✔ done'],
    ['COMPLETED', true, true, '✘ failed'],
    ['CANCELED', true, false, '⊘ cancelled'],
    ['DELETED', true, false, '⊘ deleted'],
    ['DELETED', true, true, '⊘ deleted'],
    ['A_WORD_OF_THE_PAST', true, false, '✔ done'],
    ['A_WORD_OF_THEIR_OWN', false, false, '◌ A_WORD_OF_THEIR_OWN'],
  ])('%s (ended %s, failed %s) is shown as %s', (stage, ended, failed, words) => {
    const job = { project_hpc: 'HPC_TWO', stage, terminal_stage: ended, failed };
    const { icon, label } = describeStages(systems)(job);
    expect(`${icon} ${label}`).toBe(words);
  });

  it.each([
    ['RUNNING', false],
    ['CANCELED', true],
    ['SUCCESSFUL', true],
  ])('%s is shown as is until its meaning is known', (stage, ended) => {
    const job = { project_hpc: 'HPC_ONE', stage, terminal_stage: ended, failed: false };
    const shown = { meaning: 'unknown', label: stage, icon: '◌' };
    expect(describeStages(systems)(job)).toEqual(shown);
    expect(describeStages([])(job)).toEqual(shown);
  });
});

describe('ids', () => {
  const one = 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA';
  const two = 'NGBW-JOB-NEURON74_TG-0D3C6F7A5B1E4F6F9A8B7C6D5E4F3A2B';

  it('are shortened to the part that differs', () => {
    expect(writeShortId(one)).toBe('AF17D39A');
    expect(writeShortId(two)).toBe('0D3C6F7A');
  });

  it('match by their beginning, in upper or lower case', () => {
    expect(matchesId(one, 'af17')).toBe(true);
    expect(matchesId(one, '9E15')).toBe(false);
    expect(matchesId(two, '0d3c')).toBe(true);
    expect(matchesId(two, two)).toBe(true);
  });

  it('of batches, which begin with the time, are shortened to their last part', () => {
    const batch = '019A8B7C-1D2E-7F30-8A4B-5C6D7E8F9A0B';
    expect(writeShortId(batch)).toBe('5C6D7E8F');
    expect([matchesId(batch, '5c6d'), matchesId(batch, '019A'), matchesId(batch, '8A4B')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('how long a job ran', () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 10, 15, 8, 30, seconds)).toISOString();
  const now = new Date(at(3000));
  const timeline: Timeline = {
    job_id: 'A',
    stage: 'QUEUED',
    terminal_stage: false,
    reason: null,
    running_since: null,
    ran_seconds: null,
    stages: [{ stage: 'QUEUED', since: at(0) }],
    tries: [],
  };
  const [queued, running] = [
    { stage: 'QUEUED', since: at(0) },
    { stage: 'RUNNING', since: at(60) },
  ];
  const failed = { stage: 'FAILED', since: at(90) };

  it.each([
    ['waits', {}, undefined],
    [
      'was refused and never ran',
      { terminal_stage: true, stages: [queued, { stage: 'FAILED', since: at(5) }] },
      undefined,
    ],
    [
      'ended before anybody saw it running',
      { terminal_stage: true, ran_seconds: 3, stages: [queued, failed] },
      3,
    ],
    [
      'started before it was first seen running',
      {
        terminal_stage: true,
        running_since: at(60),
        ran_seconds: 43,
        stages: [queued, running, failed],
      },
      43,
    ],
    ['runs', { running_since: at(60), stages: [queued, running] }, 2940],
    [
      'is transferring its files',
      {
        running_since: at(60),
        stages: [queued, running, { stage: 'STAGINGOUT', since: at(100) }],
      },
      40,
    ],
  ])('is computed for a job that %s', (_, change, seconds) => {
    expect(measureRun({ ...timeline, ...change }, now)).toBe(seconds);
  });

  const time = { used: 100, asked: 7200 };
  it.each([
    ['nothing but its time', { time }, undefined],
    ['its cores', { time, cpu: { used: 320, asked: 400 } }, '3.2 of 4 cores'],
    [
      'one core, to which the last second was added',
      { time, cpu: { used: 101, asked: 100 } },
      '1.0 of 1 core',
    ],
    [
      'cores, but ran for less than a second',
      { time: { ...time, used: 0 }, cpu: { used: 0.2, asked: 0 } },
      undefined,
    ],
    [
      'both',
      { time, cpu: { used: 1, asked: 200 }, memory: { used: 1.2e9, asked: 16e9 } },
      '0.0 of 2 cores and 1.2 GB of 16 GB of memory',
    ],
  ])('is described with %s', (_, efficiency, words) => {
    expect(describeUsage({ ...timeline, efficiency })).toBe(words);
  });

  const row = { time_used: 720, jobs_ended: 1, jobs_failed: 0, jobs_cancelled: 0 };
  const times = {
    queue_time_median: 1,
    queue_time_p95: 1,
    run_time_median: 1,
    run_time_p95: 1,
  };
  it.each([
    [7200, '10 %'],
    [0, ''],
    [null, ''],
  ])('is a share of the time that was asked for: %s', (time_asked, words) => {
    expect(writeUsedShare({ ...row, ...times, time_asked })).toBe(words);
  });

  it.each([
    [10, 'Your last 10 jobs of this kind used at most 12 min of 2 h.'],
    [1, 'Your last job of this kind used 12 min of 2 h.'],
  ])('becomes a hint for the next job: %i', (jobs, words) => {
    expect(describeSimilar({ similar: { jobs, time: { used: 720, asked: 7200 } } })).toBe(words);
    expect(describeSimilar({})).toBeUndefined();
  });
});
