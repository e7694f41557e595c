import { describe, expect, it, onTestFinished } from 'vitest';
import { chooseLanguage, speakEnglish } from '#client/src/words/language.ts';
import { layOutBars, listMoments } from '#console/src/admin/reports/report-chart.tsx';
import {
  checkPeriod,
  dimensionsOf,
  nameRow,
  readReportFilters,
} from '#console/src/admin/reports/report-filters.ts';

const now = new Date('2026-11-15T08:30:00Z');
const none = {
  jobs_ended: 1,
  jobs_failed: 0,
  jobs_cancelled: 0,
  queue_time_median: null,
  queue_time_p95: null,
  run_time_median: null,
  run_time_p95: null,
  time_asked: null,
};

describe('the filters of a report', () => {
  it('default to this month by project', () => {
    const usual = { by: 'project', split: '', since: '2026-11-01', until: '2026-11-15' };
    expect(readReportFilters(new URLSearchParams(), now)).toEqual(usual);
    const nonsense = new URLSearchParams('by=mood&since=soon');
    expect(readReportFilters(nonsense, now)).toEqual(usual);
  });

  it('are read from the address', () => {
    const query = new URLSearchParams('by=user&since=2026-01-01&until=2026-03-31');
    expect(readReportFilters(query, now)).toEqual({ split: '', ...Object.fromEntries(query) });
  });

  it('can name a user, and default to another group', () => {
    const read = (text: string) => readReportFilters(new URLSearchParams(text), now, 'user');
    expect(read('user=306328')).toMatchObject({ by: 'user', user: '306328' });
    expect(read('by=day&user=ada')).toMatchObject({ by: 'day', user: undefined });
  });

  it.each([
    ['2026-01-01', '2026-12-31', undefined],
    ['2024-01-01', '2024-12-31', undefined],
    ['2025-11-15', '2026-11-16', 'A report covers 366 days at most.'],
    ['2026-11-16', '2026-11-15', 'The start date is after the end date.'],
  ])('from %s to %s: %s', (since, until, wrong) => {
    expect(checkPeriod({ since, until })).toBe(wrong);
  });
});

describe('the bars of a report', () => {
  it('are the largest first, and to scale', () => {
    const rows = [
      { ...none, user: '7', time_used: 50 },
      { ...none, user: '8', time_used: 200 },
    ];
    expect(layOutBars(rows, 'user', () => 'node')).toEqual([
      { name: '8', seconds: 200, share: 1, charging: 'node' },
      { name: '7', seconds: 50, share: 0.25, charging: 'node' },
    ]);
  });

  it('add up the smallest if there are too many', () => {
    const rows = Array.from({ length: 40 }, (_, index) => ({
      ...none,
      user: String(index),
      time_used: index,
    }));
    const bars = layOutBars(rows, 'user', () => 'node');
    expect(bars).toHaveLength(12);
    expect(bars.at(-1)).toMatchObject({ name: '29 others' });
    expect(bars.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(780);
  });

  it('without usage have no length', () => {
    expect(layOutBars([{ ...none, user: '7', time_used: 0 }], 'user', () => 'node')).toEqual([
      { name: '7', seconds: 0, share: 0, charging: 'node' },
    ]);
  });

  it('have the unit of their system, or a neutral one if systems are added up', () => {
    const unitOf = (hpc?: string) => (hpc === 'CORES' ? 'core' : 'node');
    const rows = Array.from({ length: 14 }, (_, index) => ({
      ...none,
      project_hpc: index % 2 === 0 ? 'CORES' : 'NODES',
      time_used: index,
    }));
    const bars = layOutBars(rows, 'system', unitOf);
    expect(bars.map(({ charging }) => charging).slice(0, 2)).toEqual(['node', 'core']);
    expect(bars.at(-1)).toMatchObject({ name: '3 others', charging: 'mixed' });
  });

  it('have a column for each day or month of the period, even without usage', () => {
    const days = { by: 'day', split: '', since: '2026-02-27', until: '2026-03-01' } as const;
    expect(listMoments(days)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    const months = { by: 'month', split: '', since: '2025-12-31', until: '2026-02-01' } as const;
    expect(listMoments(months)).toEqual(['2025-12', '2026-01', '2026-02']);
  });

  it('can be divided, days and months only', () => {
    const read = (query: string) => readReportFilters(new URLSearchParams(query), new Date(0));
    expect(dimensionsOf(read('by=day&split=system'))).toBe('system,day');
    expect(dimensionsOf(read('by=user&split=system'))).toBe('user');
    expect(dimensionsOf(read('by=month&split=nonsense'))).toBe('month');
  });
});

describe('a row of a report', () => {
  const row = {
    ...none,
    time_used: 1,
    user: '7',
    project_hpc: 'HPC_ONE',
    project_name: 'course',
    day: '2026-11-15',
  };
  it.each([
    ['user', '7'],
    ['project', 'course'],
    ['system', 'hpc_one'],
    ['day', '15 November 2026'],
  ] as const)('by %s is named %s', (by, name) => {
    expect(nameRow(row, by)).toBe(name);
  });

  it('has the name of a month alone, in every language', async () => {
    onTestFinished(speakEnglish);
    await chooseLanguage(['de'], { de: () => import('#console/src/german/german.ts') });
    expect(nameRow({ ...none, time_used: 1, month: '2026-03' }, 'month')).toBe('März 2026');
  });
});
