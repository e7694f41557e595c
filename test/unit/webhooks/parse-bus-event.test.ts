import { describe, expect, it } from 'vitest';
import { parseBusEvent } from '#lib/webhooks/deliveries/queue-deliveries.ts';

const detail = {
  id: 'AF17D39A-QUEUED',
  type: 'job.submitted',
  owner: '306328',
  at: '2026-01-01T00:00:00.123Z',
  data: { stage: 'QUEUED', title: null, nested: { a: [1] } },
};
const told = {
  version: '0',
  id: 'bus-1',
  source: 'slipway',
  'detail-type': 'job.submitted',
  time: '2026-01-01T00:00:01Z',
  detail,
};

describe('an event from the bus', () => {
  it('is parsed', () => {
    expect(parseBusEvent(told)).toEqual({ ...detail, at: new Date(detail.at) });
  });

  it.each([
    undefined,
    null,
    {},
    { ...told, source: 'aws.events' },
    { ...told, detail: undefined },
    { ...told, detail: { ...detail, id: '' } },
    { ...told, detail: { ...detail, id: 'two\nlines' } },
    { ...told, detail: { ...detail, id: 'a'.repeat(513) } },
    { ...told, detail: { ...detail, type: 'job.lost' } },
    { ...told, detail: { ...detail, owner: '1#2' } },
    { ...told, detail: { ...detail, owner: '' } },
    { ...told, detail: { ...detail, at: 'yesterday' } },
    { ...told, detail: { ...detail, data: 'text' } },
  ])('is refused if it is not ours: %#', (other) => {
    expect(() => parseBusEvent(other)).toThrow();
  });
});
