import { describe, expect, it } from 'vitest';
import { judgeAwaited } from '#lib/jobs/chains/awaited.ts';
import { explainBroken, explainWait } from '#lib/jobs/chains/explain-wait.ts';
import { listConditions } from '#lib/jobs/chains/waits.ts';
import { batchSample } from '#test/fixtures/batches.ts';
import { jobId, systemName } from '#test/fixtures/names.ts';

describe('judgeAwaited', () => {
  it.each([
    { state: 'active', strict: 'open', any: 'open', some: 'open' },
    { state: 'succeeded', strict: 'met', any: 'met', some: 'met' },
    { state: 'failed', strict: 'broken', any: 'met', some: 'met' },
    { state: 'cancelled', strict: 'broken', any: 'met', some: 'met' },
    { state: 'deleted', strict: 'broken', any: 'met', some: 'broken' },
    { state: undefined, strict: 'broken', any: 'met', some: 'broken' },
  ] as const)(
    'judges $state as $strict, as $any if any end will do, and as $some if results are left',
    (row) => {
      expect(judgeAwaited({ anyEnd: false, givesInput: false }, row.state)).toBe(row.strict);
      expect(judgeAwaited({ anyEnd: false, givesInput: true }, row.state)).toBe(row.strict);
      expect(judgeAwaited({ anyEnd: true, givesInput: false }, row.state)).toBe(row.any);
      expect(judgeAwaited({ anyEnd: true, givesInput: true }, row.state)).toBe(row.some);
    },
  );
});

describe('listConditions', () => {
  it('names every job once, and the stricter condition wins', () => {
    const [a, b, c] = ['A', 'B', 'C'].map(jobId);
    if (!a || !b || !c) throw new Error('There are three ids.');
    const listed = listConditions({ after: [a, b, b], afterAny: [b, c], input: { from: a } });
    expect(listed).toEqual([
      { id: a, anyEnd: false, givesInput: true, field: 'input_from' },
      { id: b, anyEnd: false, givesInput: false, field: 'after' },
      { id: c, anyEnd: true, givesInput: false, field: 'after_any' },
    ]);
  });

  it('lets a batch end as it likes if its failed jobs are left out and nothing else needs it', () => {
    const batch = batchSample.id;
    const input = { from: batch, leavesOutFailed: true } as const;
    const [loose] = listConditions({ after: [], afterAny: [batch], input });
    expect(loose).toMatchObject({ anyEnd: true, givesInput: true });
    const [strict] = listConditions({ after: [batch], afterAny: [], input });
    expect(strict).toMatchObject({ anyEnd: false, givesInput: true });
  });
});

describe('the words of a wait', () => {
  const awaited = (id: string) => ({
    id: jobId(id),
    stage: 'RUNNING',
    hpc: systemName('hpc_one'),
  });

  it.each([
    { ids: [], words: undefined },
    { ids: ['A'], words: 'Waiting for A (running on hpc_one).' },
    { ids: ['A', 'B'], words: 'Waiting for A (running on hpc_one) and B (running on hpc_one).' },
    {
      ids: ['A', 'B', 'C', 'D', 'E'],
      words:
        'Waiting for A (running on hpc_one), B (running on hpc_one), C (running on hpc_one) and 2 more.',
    },
  ])('name $ids', ({ ids, words }) => {
    expect(explainWait(ids.map(awaited))).toBe(words);
  });

  it.each([
    { state: 'failed', words: 'A on hpc_one has failed' },
    { state: 'cancelled', words: 'A on hpc_one was cancelled' },
    { state: 'deleted', words: 'A on hpc_one was deleted' },
  ] as const)('say that a job has $state', ({ state, words }) => {
    expect(explainBroken({ ...awaited('A'), state })).toBe(words);
  });
});
