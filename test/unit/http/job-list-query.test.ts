import { describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { allJobsQuery, jobListQuery } from '#lib/http/parsers/queries/job-queries.ts';
import { readQuery } from '#lib/http/parsers/read-request.ts';
import { outputOf, problemsOf } from '#test/fixtures/problems-of.ts';

const one = findSystem(catalog, 'hpc_one');
const two = findSystem(catalog, 'hpc_two');

function parse(rawQueryString = '', system?: HpcSystem) {
  return outputOf(readQuery(jobListQuery(catalog, system), { rawQueryString }));
}

function messages(query: string) {
  return problemsOf(() => parse(query)).map(({ name, message }) => `${name}: ${message}`);
}

const noMoment =
  'It must be a date (2026-01-31), or a date and time with a time zone (2026-01-31T08:00:00Z).';

describe('the query of a list of jobs', () => {
  it('is everything in ascending order where nothing is asked for', () => {
    expect(parse()).toEqual({
      list: { order: 'asc', filter: {} },
      limit: undefined,
      cursor: undefined,
    });
  });

  it('reads every parameter', () => {
    const query =
      'limit=7&cursor=1.x&stage=COMPLETED&terminal=true&failed=false&title=a%20b' +
      '&since=2026-01-31&until=2026-02-01T08:00:00.5%2B01:00&order=desc';
    expect(parse(query)).toEqual({
      list: {
        order: 'desc',
        filter: {
          stage: 'COMPLETED',
          terminal: true,
          failed: false,
          titleContains: 'a b',
          since: new Date('2026-01-31T00:00:00Z'),
          until: new Date('2026-02-01T07:00:00.500Z'),
        },
      },
      limit: 7,
      cursor: '1.x',
    });
  });

  it('takes a job_id, alone', () => {
    const jobId = 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA';
    expect(parse(`job_id=${jobId}`).list).toEqual({ jobId, order: 'asc', filter: {} });
    for (const other of ['limit=1', 'order=asc', 'terminal=false', 'cursor=1.x', 'title=a']) {
      expect(messages(`job_id=${jobId}&${other}`)).toEqual([
        'job_id: It names one job. Send no other parameter with it.',
      ]);
    }
    const user = () =>
      outputOf(readQuery(allJobsQuery(catalog, one), { rawQueryString: `job_id=${jobId}&user=1` }));
    expect(problemsOf(user)).toMatchObject([{ name: 'job_id' }]);
    expect(messages('job_id=af17d39a')).toEqual([
      'job_id: It must be a job_id: upper-case letters, digits, - and _.',
    ]);
  });

  it.each([1, 2, 999, 1000])('takes limit=%d', (limit) => {
    expect(parse(`limit=${limit}`).limit).toBe(limit);
  });

  it.each(['', '-1', '1.5', 'x', '1e2', '0x10', '10000', '%20', '１'])(
    'refuses limit=%s',
    (limit) => {
      expect(messages(`limit=${limit}`)).toEqual([
        'limit: It must be a whole number from 1 to 1000.',
      ]);
    },
  );

  it('refuses limit=0 and limit=1001', () => {
    expect(messages('limit=0')).toEqual(['limit: It must be at least 1.']);
    expect(messages('limit=1001')).toEqual(['limit: It must be at most 1000.']);
  });

  it.each(['terminal', 'failed'])('takes %s as true or false, and nothing else', (name) => {
    expect(parse(`${name}=true`).list.filter).toEqual({ [name]: true });
    expect(parse(`${name}=false`).list.filter).toEqual({ [name]: false });
    for (const value of ['', '1', 'TRUE', 'yes', 'null']) {
      expect(messages(`${name}=${value}`)).toEqual([`${name}: It must be true or false.`]);
    }
  });

  it('refuses an empty title, which would filter nothing', () => {
    expect(messages('title=')).toEqual(['title: It must not be empty.']);
  });

  it.each(['', 'ascending', 'DESC', 'id'])('refuses order=%s', (order) => {
    expect(messages(`order=${order}`)).toEqual(['order: It must be asc or desc.']);
  });

  it.each([
    { text: '2026-01-31T08:00Z', moment: '2026-01-31T08:00:00.000Z' },
    { text: '2026-01-31T08:00:01Z', moment: '2026-01-31T08:00:01.000Z' },
    { text: '2026-01-31T08:00:01.25Z', moment: '2026-01-31T08:00:01.250Z' },
    { text: '2026-01-31T08:00:00-05:30', moment: '2026-01-31T13:30:00.000Z' },
  ])('takes since and until as $text', ({ text, moment }) => {
    const encoded = encodeURIComponent(text);
    expect(parse(`since=${encoded}`).list.filter.since?.toISOString()).toBe(moment);
    expect(parse(`until=${encoded}`).list.filter.until?.toISOString()).toBe(moment);
  });

  it.each(['2026-01-31', '2024-02-29'])('takes %s as a whole day', (day) => {
    expect(parse(`since=${day}`).list.filter.since?.toISOString()).toBe(`${day}T00:00:00.000Z`);
    expect(parse(`until=${day}`).list.filter.until?.toISOString()).toBe(`${day}T23:59:59.999Z`);
  });

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-1-31',
    '31.01.2026',
    '2026-01-31T08:00',
    '1549838401',
    '2026-13-01',
    '2026-00-10',
    '2026-01-32',
    '2026-01-31T25:00Z',
    '2026-01-31T08:61Z',
  ])('refuses %j as a moment', (text) => {
    expect(messages(`since=${text}`)).toEqual([`since: ${noMoment}`]);
    expect(messages(`until=${text}`)).toEqual([`until: ${noMoment}`]);
  });

  it('says that a + in an address is a space', () => {
    expect(messages('since=2026-02-01T08:00:00+01:00')).toEqual([
      'since: In an address a + stands for a space. Write it as %2B, or use a time in UTC (Z).',
    ]);
    expect(messages('since=2026-02-30T08:00:00+01:00')).toEqual([`since: ${noMoment}`]);
  });

  it.each(['2026-02-30', '2026-02-29', '2026-04-31', '2026-02-31T10:00:00Z'])(
    'refuses %s instead of taking it for a day of the next month',
    (text) => {
      expect(messages(`since=${text}`)).toEqual([`since: ${noMoment}`]);
      expect(messages(`until=${text}`)).toEqual([`until: ${noMoment}`]);
    },
  );

  it('knows the stages of the system in the path, and of all where there is none', () => {
    const stageOf = (query: string, system?: HpcSystem) => parse(query, system).list.filter.stage;
    expect(stageOf('stage=QUEUED', one)).toBe('QUEUED');
    expect(stageOf('stage=CANCELED', one)).toBe('CANCELED');
    expect(stageOf('stage=DELETED', two)).toBe('DELETED');
    expect(stageOf('stage=COMPLETED')).toBe('COMPLETED');
    for (const stage of ['COMPLETED', 'queued', 'DONE', '']) {
      expect(problemsOf(() => parse(`stage=${stage}`, one))).toEqual([
        {
          location: 'query',
          name: 'stage',
          message:
            'Unknown stage. Known stages: READY, STAGINGIN, QUEUED, RUNNING, ' +
            'STAGINGOUT, SUCCESSFUL, FAILED, CANCELED, DELETED.',
        },
      ]);
    }
  });

  it('refuses what it does not know, and what is given twice', () => {
    expect(messages('owner=1')).toEqual([
      'owner: Unknown parameter. Known parameters: limit, cursor, stage, terminal, failed, ' +
        'title, since, until, order, job_id, batch.',
    ]);
    expect(messages('limit=1&limit=2')).toEqual(['limit: It is given twice. Send it once.']);
  });
});

describe("the query of everybody's jobs", () => {
  const read = (rawQueryString: string) =>
    outputOf(readQuery(allJobsQuery(catalog, undefined), { rawQueryString }));

  it('is of 100 jobs of all users where nothing is asked for', () => {
    expect(read('')).toEqual({
      list: { owner: undefined, order: 'asc', filter: {} },
      limit: 100,
      cursor: undefined,
    });
  });

  it('takes a user beside everything else', () => {
    expect(read('user=306328&limit=1000&title=a')).toMatchObject({
      list: { owner: '306328', filter: { titleContains: 'a' } },
      limit: 1000,
    });
    expect(problemsOf(() => read('user=alice'))).toEqual([
      {
        location: 'query',
        name: 'user',
        message: 'It must be the number of a user, without leading zeros.',
      },
    ]);
  });
});
