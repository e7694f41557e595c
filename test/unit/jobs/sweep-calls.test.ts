import { describe, expect, it } from 'vitest';
import { catalog } from '#lib/catalog/catalog.ts';
import { listSweepCalls, parseSweepCall } from '#lib/jobs/run/sweep/sweep.ts';

describe('the calls of the clock', () => {
  const [first, second] = catalog.systems;
  if (!first || !second) throw new Error('The catalog has no two systems.');

  it('are one for each system, and one for each run of one that has several', () => {
    expect(listSweepCalls([first, { ...second, sweepRuns: 3 }])).toEqual([
      { hpc: first.name, run: { number: 0, of: 1 } },
      { hpc: second.name, run: { number: 0, of: 3 } },
      { hpc: second.name, run: { number: 1, of: 3 } },
      { hpc: second.name, run: { number: 2, of: 3 } },
    ]);
  });

  it('are read as they were written, and by hand without a run', () => {
    const [call] = listSweepCalls([{ ...first, sweepRuns: 2 }]);
    expect(parseSweepCall(JSON.parse(JSON.stringify(call)))).toEqual(call);
    expect(parseSweepCall({ hpc: 'hpc_one' })).toEqual({
      hpc: 'hpc_one',
      run: { number: 0, of: 1 },
    });
  });
});
