import type { Parts } from '../costs/count-parts.ts';
import { computeScale, type Scale } from './compute-scale.ts';

const steps = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

const columns: readonly (readonly [head: string, cell: (scale: Scale) => string])[] = [
  ['jobs a month', ({ jobs }) => write(jobs)],
  ['submissions/s', ({ submissions }) => write(submissions)],
  ['requests/s', ({ requests }) => write(requests)],
  ['write units/s', ({ writeUnits }) => write(writeUnits)],
  ['living jobs', ({ living }) => write(living)],
  ['counter', ({ counter }) => write(counter)],
  ['a shard of due', ({ dueShard }) => write(dueShard)],
  ['project_jobs', ({ projectIndex }) => write(projectIndex)],
  ['TB kept', ({ storedTerabytes }) => write(storedTerabytes)],
  ['USD a month', ({ dollars }) => write(dollars)],
];

/** The table of docs/scale.md. */
export function writeScale(parts: Parts): string {
  const scales = steps.map((jobs) => computeScale(jobs, parts));
  const rows = [
    columns.map(([head]) => head),
    columns.map(() => '---:'),
    ...scales.map((scale) => columns.map(([, cell]) => cell(scale))),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Two figures are as many as this arithmetic is good for. */
function write(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 2 });
}
