import { type Figure, formatTable } from '../measure/figures.ts';
import type { Measured } from './wrk.ts';

export interface Row extends Measured {
  readonly name: string;
  readonly connections: number;
  /** Memory in use afterwards, if the machine says. */
  readonly megabytes: number | undefined;
  /** Processor milliseconds of the server per answer, including the work behind it. */
  readonly processorMs: number | undefined;
}

/** Writes the table for people, with the reasons why a run is invalid. */
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

/** Lists the figures of valid runs only, because quick refusals would look like good answers. */
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

/** A run without answers measured nothing. */
export function isValid({ perSecond, refused, broken }: Row): boolean {
  return perSecond > 0 && refused + broken === 0;
}

/** Divides requests a second by those of another target at the same number of connections. */
function compare(rows: readonly Row[], row: Row, other: string): number | undefined {
  const found = rows.find(
    ({ name, connections }) => name === other && connections === row.connections,
  );
  return found && isValid(found) ? row.perSecond / found.perSecond : undefined;
}
