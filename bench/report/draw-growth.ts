import type { Figure } from '../measure/figures.ts';
import { pictureWidth, round, writeLine, writePicture, writeText } from './picture.ts';

const series = [
  { name: 'single', label: 'one job', look: 'a' },
  { name: 'page-100', label: 'page of 100 jobs', look: 'b' },
  { name: 'submit', label: 'submit', look: 'c' },
] as const;

const left = 84;
const right = pictureWidth - 190;
const top = 108;
const bottom = 330;
const limit = 1.2;

/** The median time of each operation, as a multiple of what it takes in the smallest table. */
export function drawGrowth(figures: readonly Figure[]): string {
  const sizes = listSizes(figures);
  if (sizes.length < 2) throw new Error('There are no figures of bench:growth to draw.');
  const [smallest = 1] = sizes;
  const largest = sizes.at(-1) ?? smallest;
  const readMedian = (name: string, jobs: number) =>
    figures.find((figure) => figure.name === `growth.${name}.${jobs}-jobs`)?.value ?? Number.NaN;
  const growth = (name: string, jobs: number) =>
    readMedian(name, jobs) / readMedian(name, smallest);
  const all = series.flatMap(({ name }) => sizes.map((jobs) => growth(name, jobs)));
  const highest = Math.max(1.4, Math.ceil(Math.max(...all) * 5) / 5);
  const lowest = Math.min(0.8, Math.floor(Math.min(...all) * 5) / 5);
  const x = (jobs: number) =>
    left + (Math.log(jobs / smallest) / Math.log(largest / smallest)) * (right - left);
  const y = (times: number) => bottom - ((times - lowest) / (highest - lowest)) * (bottom - top);

  const grid = listSteps(lowest, highest).flatMap((step) => [
    writeLine([left, y(step)], [right, y(step)], 'line'),
    writeText(left - 10, y(step) + 4, `${step.toFixed(1)} ×`, 'quiet', 'end'),
  ]);
  const marks = sizes.map((jobs) =>
    writeText(x(jobs), bottom + 22, jobs.toLocaleString('en-US'), 'quiet', 'middle'),
  );
  const limits = [
    writeLine([left, y(limit)], [right, y(limit)], 'limit'),
    writeText(left + 8, y(limit) - 6, `budget: at most ${limit} ×`, 'limit-text'),
  ];
  const lines = series.flatMap(({ name, look }) => [
    `<polyline class="series ${look}-line" points="${sizes
      .map((jobs) => `${round(x(jobs))},${round(y(growth(name, jobs)))}`)
      .join(' ')}"/>`,
    ...sizes.map(
      (jobs) =>
        `<circle class="${look}" cx="${round(x(jobs))}" cy="${round(y(growth(name, jobs)))}" r="4"/>`,
    ),
  ]);
  const ends = spread(series.map(({ name }) => y(growth(name, largest)) + 4));
  const labels = series.map(({ label, look }, index) =>
    writeText(right + 12, ends[index] ?? bottom, label, `${look} strong`),
  );
  const axis = writeText(24, top - 18, 'median, as a multiple', 'quiet');
  const times = writeTimes(sizes, x, readMedian);
  return writePicture({
    title: 'Time of an answer while the table grows',
    subtitle: 'Over HTTP from the laptop edition, against the same request in the smallest table.',
    height: bottom + 146,
    content: [axis, ...grid, ...limits, ...marks, ...lines, ...labels, ...times],
  });
}

/** Below each size, what the medians are: a multiple alone would not say whether it is quick. */
function writeTimes(
  sizes: readonly number[],
  x: (jobs: number) => number,
  readMedian: (name: string, jobs: number) => number,
): string[] {
  const rows = series.flatMap(({ name, label, look }, row) => {
    const height = bottom + 80 + row * 20;
    const cells = sizes.map((jobs) =>
      writeText(x(jobs), height, `${readMedian(name, jobs).toFixed(2)} ms`, look, 'middle'),
    );
    return [...cells, writeText(right + 50, height, label, look)];
  });
  const axis = writeText((left + right) / 2, bottom + 46, 'jobs in the table', 'quiet', 'middle');
  return [axis, ...rows];
}

function listSizes(figures: readonly Figure[]): number[] {
  const found = figures.map(({ name }) => /^growth\.single\.(\d+)-jobs$/.exec(name)?.[1]);
  return found.flatMap((size) => (size === undefined ? [] : [Number(size)])).sort((a, b) => a - b);
}

/** Fifths, or as many of them in one step as keep the lines apart. */
function listSteps(lowest: number, highest: number): number[] {
  const step = 0.2 * Math.ceil((highest - lowest) / 0.2 / 8);
  const count = Math.floor((highest - lowest) / step + 0.01);
  return Array.from({ length: count + 1 }, (_, index) => lowest + index * step);
}

/** Labels that would stand on each other, pushed apart downwards. */
function spread(heights: readonly number[]): number[] {
  const sorted = [...heights.entries()].sort(([, a], [, b]) => a - b);
  const placed = [...heights];
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, height] of sorted) {
    last = Math.max(height, last + 18);
    placed[index] = last;
  }
  return placed;
}
