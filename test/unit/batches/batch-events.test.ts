import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { detectEvents } from '#lib/events/detect-events.ts';
import { sumByJob } from '#lib/quotas/sum-ledger.ts';
import { batchItem, batchSample } from '#test/fixtures/batches.ts';
import { jobId } from '#test/fixtures/names.ts';

type Attributes = Readonly<Record<string, unknown>>;

function detect(before: Attributes | undefined, after: Attributes) {
  const image = (item: Attributes) => Object(marshall(item, { removeUndefinedValues: true }));
  return detectEvents({
    eventID: 'a-change',
    dynamodb: {
      ApproximateCreationDateTime: 1_763_280_000,
      ...(before && { OldImage: image(batchItem(before)) }),
      NewImage: image(batchItem(after)),
    },
  }).map(({ type, id }) => ({ type, id }));
}

const counts = { running: 0, done: 1, failed: 0, cancelled: 0 };
const told = (at: string) => ({ at, ...counts });
const { id } = batchSample;

describe('the events of a batch', () => {
  it('tell once that all jobs have ended', () => {
    const almost = { done: 1, failed: 1 };
    expect(detect(almost, { ...almost, cancelled: 1 })).toEqual([
      { type: 'batch.ended', id: `${id}-ended` },
    ]);
    const ended = { ...almost, cancelled: 1 };
    expect(detect(ended, { ...ended, held_kilobytes: 0 })).toEqual([]);
    expect(detect(ended, { ...ended, discard: 'delete', cancel_pending: true })).toEqual([]);
  });

  it('tell the progress when it was noted, not with each job', () => {
    const first = { told: told('2026-11-16T09:00:00.000Z') };
    expect(detect({}, { done: 1 })).toEqual([]);
    expect(detect({}, first)).toEqual([{ type: 'batch.progress', id: `${id}-progress-a-change` }]);
    expect(detect(first, { ...first, done: 1 })).toEqual([]);
    expect(detect(first, { told: told('2026-11-16T09:01:00.000Z') })).toHaveLength(1);
  });

  it('are none when it is submitted', () => {
    expect(detect(undefined, {})).toEqual([]);
  });
});

describe('sums by job', () => {
  it('count the lines of a batch and its jobs together, and those of other jobs apart', () => {
    const line = { key: '', at: new Date(0), by: '1', reason: '', kilobytes: 0, used: 0 };
    const [first, second, alone] = [jobId('A'), jobId('B'), jobId('C')];
    const sums = sumByJob([
      { ...line, kind: 'hold', seconds: -3600, kilobytes: -5, batchId: id },
      { ...line, kind: 'hold', seconds: -60, jobId: alone },
      { ...line, kind: 'settle', seconds: 800, used: 1000, jobId: first, batchId: id },
      { ...line, kind: 'settle', seconds: 1800, jobId: second, batchId: id },
      { ...line, kind: 'refund', seconds: 0, kilobytes: 5, batchId: id },
      { ...line, kind: 'grant', seconds: 9999 },
    ]);
    expect([...sums.keys()]).toEqual([id, alone]);
    expect(sums.get(id)).toMatchObject({
      held: { seconds: 3600, kilobytes: 5 },
      returned: { seconds: 2600, kilobytes: 5 },
      used: { seconds: 1000 },
      change: { seconds: -1000, kilobytes: 0 },
    });
  });
});
