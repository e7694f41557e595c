import { describe, expect, it } from 'vitest';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';

describe('splitIntoBatches', () => {
  it.each([
    { items: [], batches: [] },
    { items: [1], batches: [[1]] },
    { items: [1, 2], batches: [[1, 2]] },
    { items: [1, 2, 3], batches: [[1, 2], [3]] },
    {
      items: [1, 2, 3, 4],
      batches: [
        [1, 2],
        [3, 4],
      ],
    },
  ])('makes $batches of $items', ({ items, batches }) => {
    expect(splitIntoBatches(items, 2)).toEqual(batches);
  });
});
