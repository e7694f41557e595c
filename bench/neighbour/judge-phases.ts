import { type Figure, formatTable, percentile } from '../measure/figures.ts';
import type { Answer } from './ordinary-caller.ts';

const mostTimes = 3;
const mostMegabytes = 600;

/** A short part of a phase. */
export interface Round {
  readonly answers: readonly Answer[];
  readonly megabytes: number;
  /** How often the hostile caller was answered with each status. */
  readonly hostileAnswers: ReadonlyMap<string, number>;
}

export interface Measured {
  readonly name: string;
  readonly rounds: Round[];
}

const answersOf = ({ rounds }: Measured) => rounds.flatMap(({ answers }) => answers);
const megabytesOf = ({ rounds }: Measured) => Math.max(...rounds.map(({ megabytes }) => megabytes));
const failuresOf = (phase: Measured) =>
  answersOf(phase).flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
const waitOf = (phase: Measured, share: number, kind?: string) =>
  percentile(
    answersOf(phase)
      .filter((answer) => kind === undefined || answer.kind === kind)
      .map(({ ms }) => ms),
    share,
  );
/** Compares the 99th percentile of a phase with that of the ordinary caller alone. */
const timesOf = (phase: Measured, alone: Measured | undefined) =>
  waitOf(phase, 0.99) / (alone ? waitOf(alone, 0.99) : Number.NaN);

/** Writes a table of the phases, and one of the requests in each of them. */
export function describePhases(measured: readonly Measured[]): string {
  const [alone] = measured;
  const kinds = [...new Set((alone ? answersOf(alone) : []).map(({ kind }) => kind))];
  const phases = formatTable([
    ['', 'p50, ms', 'p99, ms', 'times', 'failed', 'MB', 'answers to the neighbour'],
    ...measured.map((phase) => [
      phase.name,
      waitOf(phase, 0.5).toFixed(1),
      waitOf(phase, 0.99).toFixed(1),
      timesOf(phase, alone).toFixed(2),
      String(failuresOf(phase).length),
      String(megabytesOf(phase)),
      describeHostile(phase),
    ]),
  ]);
  const requests = formatTable([
    ['p50 / p99, ms', ...kinds],
    ...measured.map((phase) => [
      phase.name,
      ...kinds.map((kind) =>
        [0.5, 0.99].map((share) => waitOf(phase, share, kind).toFixed(1)).join(' / '),
      ),
    ]),
  ]);
  return `${phases}\n${requests}\n`;
}

function describeHostile({ rounds }: Measured): string {
  const all = rounds.flatMap(({ hostileAnswers }) => [...hostileAnswers]);
  const sums = [...Map.groupBy(all, ([status]) => status)].map(
    ([status, counts]) => `${counts.reduce((sum, [, count]) => sum + count, 0)} x ${status}`,
  );
  return sums.toSorted().join(', ');
}

/** Prints what does not hold, and returns the figures. */
export function judgePhases(measured: readonly Measured[]): Figure[] {
  const [alone, ...beside] = measured;
  const faults = measured.flatMap((phase) => {
    const times = timesOf(phase, alone);
    const failures = failuresOf(phase);
    return [
      ...(times <= mostTimes ? [] : [`p99 is ${times.toFixed(2)} times that alone`]),
      ...(failures.length === 0
        ? []
        : [`${failures.length} requests failed (${[...new Set(failures)].join(', ')})`]),
      ...(megabytesOf(phase) < mostMegabytes ? [] : [`${megabytesOf(phase)} MB in use`]),
    ].map((fault) => `${phase.name}: ${fault}\n`);
  });
  process.stdout.write(faults.length === 0 ? 'All holds.\n' : `FAILS\n${faults.join('')}`);
  if (faults.length > 0) process.exitCode = 1;
  return [
    ...beside.map((phase) => ({
      name: `neighbour.${phase.name.replaceAll(' ', '-')}`,
      value: timesOf(phase, alone),
    })),
    {
      name: 'neighbour.failed',
      value: measured.flatMap(failuresOf).length,
      unit: 'requests',
    },
    { name: 'neighbour.rss', value: Math.max(...measured.map(megabytesOf)), unit: 'MB' },
  ];
}
