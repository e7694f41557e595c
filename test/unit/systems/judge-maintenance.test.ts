import { describe, expect, it } from 'vitest';
import {
  explainObstacle,
  findClosure,
  findObstacle,
  fitsBefore,
  listCurrent,
} from '#lib/systems/judge-maintenance.ts';
import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';

const at = (time: string) => new Date(`2026-12-01T${time}:00Z`);

const window: MaintenanceWindow = {
  name: '2026-12-01',
  source: 'administrator',
  from: at('08:00'),
  until: at('16:00'),
  reason: 'New firmware',
  drains: true,
};

const { until, ...pause } = window;
const hour = 3600;

describe('a job', () => {
  it.each([
    [at('07:00'), 3600, true],
    [at('07:00'), 3601, false],
    [at('08:00'), 0, true],
  ])('that starts at %o for %i s is over before the window: %s', (now, seconds, fits) => {
    expect(fitsBefore(window, seconds, now)).toBe(fits);
    expect(findObstacle([window], seconds, now) === undefined).toBe(fits && now < window.from);
  });

  it.each([
    ['before a window that drains', window, '07:30', true],
    ['before one that does not', { ...window, drains: false }, '07:30', false],
    ['within one that does not drain', { ...window, drains: false }, '08:00', true],
    ['at its end', window, '16:00', false],
    [
      'before a reservation of Slurm, which holds it back itself',
      { ...window, source: 'slurm' as const },
      '07:30',
      false,
    ],
    ['long after the beginning of a pause', pause, '23:00', true],
  ])('is held back %s', (_, announced, now, isHeld) => {
    expect(findObstacle([announced], hour, at(now)) !== undefined).toBe(isHeld);
  });

  it('waits for the first window that it does not fit before', () => {
    const later = { ...window, name: 'later', from: at('18:00'), until: at('19:00') };
    expect(findObstacle([later, window], hour, at('07:30'))).toBe(window);
    expect(findObstacle([later, window], hour, at('17:30'))).toBe(later);
  });
});

describe('windows', () => {
  it('that overlap close the system until the last one ends', () => {
    const longer = { ...window, name: 'longer', until: at('20:00') };
    expect(findClosure([window, longer], at('09:00'))).toBe(longer);
    expect(findClosure([longer, pause], at('09:00'))).toBe(pause);
    expect(findClosure([window], at('07:59'))).toBeUndefined();
  });

  it('are shown by their beginning, until they are over', () => {
    const later = { ...window, from: at('18:00'), until: at('19:00') };
    expect(listCurrent([later, window], at('09:00'))).toEqual([window, later]);
    expect(listCurrent([later, window], at('16:00'))).toEqual([later]);
  });
});

describe('a job that waits is told', () => {
  it.each([
    [
      'how much time it could ask for',
      window,
      '05:27',
      'The job waits for the maintenance from 2026-12-01 08:00 UTC to 2026-12-01 16:00 UTC: New firmware. Ask for at most 2.5 hours to run before.',
    ],
    [
      'nothing of that once it is too late',
      { ...window, reason: 'Why not?' },
      '07:58',
      'The job waits for the maintenance from 2026-12-01 08:00 UTC to 2026-12-01 16:00 UTC: Why not?',
    ],
    ['of a pause', pause, '09:00', 'The job waits until the system is resumed: New firmware.'],
  ])('%s', (_, announced, now, told) => {
    expect(explainObstacle(announced, at(now))).toBe(told);
  });
});
