import { describe, expect, it } from 'vitest';
import { describeRows, listFigures, type Row } from '../../../bench/http/rows.ts';

function row(name: string, change: Partial<Row> = {}): Row {
  return {
    name,
    connections: 16,
    perSecond: 1000,
    p50Ms: 1.5,
    p95Ms: 3,
    p99Ms: 4,
    refused: 0,
    broken: 0,
    megabytes: undefined,
    processorMs: undefined,
    ...change,
  };
}

describe('what was measured over HTTP', () => {
  it('is compared with the yardstick and slurmrestd at the same number of connections', () => {
    const rows = [
      row('yardstick', { perSecond: 4000 }),
      row('yardstick', { perSecond: 9, connections: 1 }),
      row('single', { megabytes: 200 }),
      row('slurmrestd.single', { perSecond: 800 }),
    ];
    expect(listFigures(rows).filter(({ name }) => name.startsWith('http.single.'))).toEqual([
      { name: 'http.single.c16.per-second', value: 1000, unit: 'a second' },
      { name: 'http.single.c16.p50', value: 1.5, unit: 'ms' },
      { name: 'http.single.c16.p95', value: 3, unit: 'ms' },
      { name: 'http.single.c16.p99', value: 4, unit: 'ms' },
      { name: 'http.single.c16.memory', value: 200, unit: 'MB' },
      { name: 'http.single.c16.to-yardstick', value: 0.25 },
      { name: 'http.single.c16.to-slurmrestd', value: 1.25 },
    ]);
  });

  it.each([
    { what: 'a refusal', change: { refused: 1 } },
    { what: 'a request without an answer', change: { broken: 1 } },
    { what: 'nothing at all', change: { perSecond: 0 } },
  ])('is not a figure after $what', ({ change }) => {
    const rows = [row('submit', change)];
    expect(listFigures(rows)).toEqual([]);
    expect(describeRows(rows)).toContain('INVALID: submit at 16');
  });

  it('is not compared with an invalid run', () => {
    const rows = [row('single'), row('slurmrestd.single', { broken: 3 })];
    expect(listFigures(rows).map(({ name }) => name)).not.toContain(
      'http.single.c16.to-slurmrestd',
    );
    expect(describeRows([row('single')])).not.toContain('INVALID');
  });
});
