import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { findDueBatches } from '#lib/events/due-batches-event.ts';
import { batchItem } from '#test/fixtures/batches.ts';

type Attributes = Readonly<Record<string, unknown>>;

function change(before: Attributes | undefined, after: Attributes) {
  const image = (item: Attributes) => Object(marshall(item, { removeUndefinedValues: true }));
  return {
    eventName: before ? ('MODIFY' as const) : ('INSERT' as const),
    dynamodb: {
      ...(before && { OldImage: image(batchItem(before)) }),
      NewImage: image(batchItem(after)),
    },
  };
}

const { PK, SK } = batchItem();
const parked = { limited: true, unfolded: 3, released: 1, next_release: 1 };

describe('a batch needs attention', () => {
  it.each([
    ['once it was submitted', undefined, {}],
    ['once it was cancelled', {}, { cancel_pending: true, discard: 'cancel' }],
    [
      'once it was deleted while it is being cancelled',
      { cancel_pending: true, discard: 'cancel' },
      { cancel_pending: true, discard: 'delete' },
    ],
    [
      'once it was cancelled again',
      { discard: 'cancel' },
      { cancel_pending: true, discard: 'cancel' },
    ],
    ['when a job ends and another waits for its turn', parked, { ...parked, done: 1 }],
    ['when a job fails and another waits for its turn', parked, { ...parked, failed: 1 }],
    ['after a release, because room may be left', parked, { ...parked, released: 2 }],
  ])('%s', (_, before, after) => {
    expect(findDueBatches([change(before, after), change(before, after)])).toEqual([{ PK, SK }]);
  });

  it.each([
    ['while its jobs are created, by whoever does that', { unfolded: 1 }, { unfolded: 2 }],
    ['when a job ends before all exist', { unfolded: 1 }, { unfolded: 1, done: 1 }],
    ['when a job starts', parked, { ...parked, running: 1 }],
    ['when it is only due later', parked, { ...parked, due_at: '2026-11-16T09:00:00.000Z' }],
    [
      'for each job that its cancel ends',
      { cancel_pending: true, discard: 'cancel' },
      { cancel_pending: true, discard: 'cancel', cancelled: 1 },
    ],
    [
      'when a job ends and all had their turn',
      { ...parked, next_release: 3 },
      { ...parked, next_release: 3, done: 1 },
    ],
  ])('not %s', (_, before, after) => {
    expect(findDueBatches([change(before, after)])).toEqual([]);
  });
});
