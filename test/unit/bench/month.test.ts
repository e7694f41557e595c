import { describe, expect, it } from 'vitest';
import { drawMonth } from '../../../bench/month/draw-month.ts';
import { hoursOfMonth, numberOfUser, planMonth } from '../../../bench/month/plan-month.ts';

const centre = { users: 100, jobs: 2000, systems: ['one', 'two'] } as const;

describe('the month of a centre', () => {
  const acts = planMonth(centre);

  it('is the same each time, and in the order of its hours', () => {
    expect(planMonth(centre)).toEqual(acts);
    const hours = acts.map(({ hour }) => hour);
    expect(hours).toEqual(hours.toSorted((one, other) => one - other));
    expect([hours[0] ?? -1, hours.at(-1)]).toEqual([
      expect.toSatisfy((hour: number) => hour >= 0),
      expect.toSatisfy((hour: number) => hour < hoursOfMonth),
    ]);
  });

  it('has about as many jobs as asked, most of them by day, and all by its people', () => {
    const submissions = acts.flatMap((act) =>
      act.kind === 'job' ? { ...act, count: 1 } : act.kind === 'sweep' ? act : [],
    );
    const jobs = submissions.reduce((sum, { count }) => sum + count, 0);
    expect(jobs).toBeGreaterThan(0.95 * centre.jobs);
    expect(jobs).toBeLessThan(1.3 * centre.jobs);
    const night = submissions.filter(({ hour }) => hour % 24 < 7);
    expect(night.length).toBeLessThan(0.1 * submissions.length);
    const people = new Set(Array.from({ length: centre.users }, (_, index) => numberOfUser(index)));
    expect(submissions.filter(({ user }) => !people.has(user))).toEqual([]);
    expect(submissions.every(({ work }) => work.nodes >= 1 && work.hours >= 0.1)).toBe(true);
  });

  it('pauses one cluster for a day', () => {
    const pauses = acts.filter(({ kind }) => kind === 'pause' || kind === 'resume');
    expect(pauses.map(({ kind }) => kind)).toEqual(['pause', 'resume']);
    expect((pauses[1]?.hour ?? 0) - (pauses[0]?.hour ?? 0)).toBe(24);
  });
});

it('draws a bar for each day, as tall as its share of the most', () => {
  const svg = drawMonth([{ name: 'jobs', values: [0, 5, 10], unit: 'jobs' }]);
  const heights = [...svg.matchAll(/<rect [^>]*height="([\d.]+)"/g)].map(([, text]) =>
    Number(text),
  );
  expect(heights).toHaveLength(3);
  expect([heights[0], (heights[1] ?? 0) * 2]).toEqual([0, heights[2]]);
  expect(svg).toContain('jobs, at most 10 jobs');
});
