import { expect, it } from 'vitest';
import { describeWait } from '#client/src/format/systems/describe-maintenance.ts';
import { writeMoment } from '#client/src/format/times/day.ts';

const window = {
  name: '2026-12-01',
  from: '2026-12-01T08:00:00Z',
  until: '2026-12-01T16:00:00Z',
  reason: 'New firmware.',
  drain: true,
  source: 'administrator',
} as const;

it.each([
  [
    { maintenance: window },
    [`The job would wait until ${writeMoment(window.until)}. New firmware.`],
  ],
  [
    { maintenance: { ...window, until: null } },
    ['The job would wait until the system is resumed. New firmware.'],
  ],
  [{}, []],
])('a dry run with %j says until when the job would wait', (estimate, said) => {
  expect(describeWait(estimate)).toEqual(said);
});
