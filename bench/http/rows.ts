import { type Figure, formatTable } from '../measure/figures.ts';
import type { Measured } from './wrk.ts';

export interface Row extends Measured {
  readonly name: string;
  readonly connections: number;
  /** In use after it, where the machine tells. */
  readonly megabytes: number | undefined;
  /** Milliseconds of the server's processors for one answer, with all that runs behind it. */
  readonly processorMs: number | undefined;
}

/** For people, with what is wrong with a run. */
export function describeRows(rows: readonly Row[]): string {
  const heading = [
    '',
    'connections',
    'a second',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'x yardstick',
    'CPU ms',
    'MB',
    '4xx 5xx',
  ];
  const table = formatTable([
    heading,
    ...rows.map((row) => [
      row.name,
      String(row.connections),
      row.perSecond.toFixed(0),
      row.p50Ms.toFixed(2),
      row.p95Ms.toFixed(2),
      row.p99Ms.toFixed(2),
      compare(rows, row, 'yardstick')?.toFixed(3) ?? '',
      row.processorMs?.toFixed(2) ?? '',
      String(row.megabytes ?? ''),
      String(row.refused),
    ]),
  ]);
  const invalid = rows.filter((row) => !isValid(row));
  const faults = invalid.map(
    ({ name, connections, refused, broken, perSecond }) =>
      `INVALID: ${name} at ${connections}: ${refused} answers of 400 or above, ` +
      `${broken} requests without an answer, ${perSecond.toFixed(1)} answers a second\n`,
  );
  return table + faults.join('');
}

/** Those of valid runs alone: a refusal is quick, and would look well. */
export function listFigures(rows: readonly Row[]): Figure[] {
  return rows.filter(isValid).flatMap((row) => {
    const name = `http.${row.name}.c${row.connections}`;
    const ratios = ['yardstick', `slurmrestd.${row.name}`].flatMap((other) => {
      const value = compare(rows, row, other);
      const to = other.replace(`.${row.name}`, '');
      return value === undefined || row.name === other ? [] : [{ name: `${name}.to-${to}`, value }];
    });
    return [
      { name: `${name}.per-second`, value: row.perSecond, unit: 'a second' },
      { name: `${name}.p50`, value: row.p50Ms, unit: 'ms' },
      { name: `${name}.p95`, value: row.p95Ms, unit: 'ms' },
      { name: `${name}.p99`, value: row.p99Ms, unit: 'ms' },
      ...(row.megabytes === undefined
        ? []
        : [{ name: `${name}.memory`, value: row.megabytes, unit: 'MB' }]),
      ...(row.processorMs === undefined
        ? []
        : [{ name: `${name}.processor`, value: row.processorMs, unit: 'ms' }]),
      ...ratios,
    ];
  });
}

/** Where nothing was answered in time, nothing was measured. */
export function isValid({ perSecond, refused, broken }: Row): boolean {
  return perSecond > 0 && refused + broken === 0;
}

/** Requests a second against those of another at as many connections. */
function compare(rows: readonly Row[], row: Row, other: string): number | undefined {
  const found = rows.find(
    ({ name, connections }) => name === other && connections === row.connections,
  );
  return found && isValid(found) ? row.perSecond / found.perSecond : undefined;
}
