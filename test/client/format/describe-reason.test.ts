import { describe, expect, it } from 'vitest';
import { describeReason } from '#client/src/format/quotas/describe-reason.ts';

const reason = 'SUCCESSFUL: 17280 of 21600 seconds used';
const settled = { outcome: 'succeeded', used: 17_280, held: 21_600 } as const;

describe('the reason of a line', () => {
  it.each([
    ['old lines as they are', {}, reason],
    ['hours', { settled }, 'succeeded: 4.8 node-hours of 6 node-hours used'],
    [
      'seconds where hours would be nothing',
      { settled: { outcome: 'cancelled', used: 20, held: 3600 } as const },
      'cancelled: 20 node-seconds of 1 node-hour used',
    ],
    [
      'what is not charged',
      { settled: { ...settled, excused: 127 } },
      'succeeded: 4.8 node-hours of 6 node-hours used; 2 min 7 s of waiting for the service are not charged',
    ],
  ])('shows %s', (_, facts, expected) => {
    expect(describeReason({ reason, ...facts }, 'node')).toBe(expected);
  });

  it('names the request that was decided by the end of its id, or without', () => {
    const id = '306328-01a1de53db405c6a1f0e9b7d4c21a3f0';
    const line = { reason: `request ${id}: half of the course:\nin spring` };
    expect(describeReason(line, 'node')).toBe('request …c21a3f0: half of the course:\nin spring');
    expect(describeReason(line, 'node', { withId: false })).toBe(
      'request: half of the course:\nin spring',
    );
    const typed = 'request 306328-01a1: somebody typed this';
    expect(describeReason({ reason: typed }, 'node', { withId: false })).toBe(typed);
  });

  it('has the unit of the system', () => {
    expect(describeReason({ reason, settled }, 'core')).toBe(
      'succeeded: 4.8 core-hours of 6 core-hours used',
    );
  });
});
