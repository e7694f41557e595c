import type { Figure } from '../measure/figures.ts';
import { chooseTicks } from './choose-ticks.ts';
import { pictureWidth, writeBar, writeLine, writePicture, writeText } from './picture.ts';

/** What is asked for, from the quickest to the slowest. */
const kinds = [
  { name: 'systems', label: 'the systems (/hpc/)' },
  { name: 'single', label: 'one job' },
  { name: 'quotas', label: 'own quotas' },
  { name: 'list-100', label: 'list of 100 jobs' },
  { name: 'list-1000', label: 'list of 1,000 jobs' },
  { name: 'submit', label: 'submit' },
  { name: 'submit-zip', label: 'submit with a zip' },
] as const;

const servers = [
  { prefix: '', label: 'Slipway, 16 connections', connections: 16, look: 'a' },
  { prefix: '', label: 'Slipway, 1 connection', connections: 1, look: 'a pale' },
  { prefix: 'slurmrestd.', label: 'slurmrestd, 16 connections', connections: 16, look: 'b' },
  { prefix: 'slurmrestd.', label: 'slurmrestd, 1 connection', connections: 1, look: 'b pale' },
] as const;

const left = 170;
const right = pictureWidth - 80;
const top = 128;
const barHeight = 13;
const groupGap = 14;

/** Requests a second, a bar for each number of connections; slurmrestd where it was measured. */
export function drawThroughput(figures: readonly Figure[]): string {
  const groups = kinds.flatMap(({ name, label }) => {
    const bars = servers.flatMap(({ prefix, connections, look }) => {
      const full = `http.${prefix}${name}.c${connections}.per-second`;
      const value = figures.find((figure) => figure.name === full)?.value;
      return value === undefined ? [] : [{ value, look }];
    });
    return bars.length === 0 ? [] : [{ label, bars }];
  });
  if (groups.length === 0) throw new Error('There are no figures of bench:http to draw.');
  const ticks = chooseTicks(Math.max(...groups.flatMap(({ bars }) => bars.map((b) => b.value))));
  const most = ticks.at(-1) ?? 1;
  const place = (value: number) => left + (value / most) * (right - left);
  const content: string[] = [];
  let y = top;
  for (const { label, bars } of groups) {
    const middle = y + (bars.length * (barHeight + 2)) / 2;
    content.push(writeText(left - 10, middle + 4, label, '', 'end'));
    for (const { value, look } of bars) {
      content.push(writeBar(left, y, Math.max(1, place(value) - left), barHeight, look));
      content.push(writeText(place(value) + 6, y + barHeight - 2, format(value), 'strong'));
      y += barHeight + 2;
    }
    y += groupGap;
  }
  const grid = ticks.flatMap((tick) => [
    writeLine([place(tick), top - 8], [place(tick), y], 'line'),
    writeText(place(tick), y + 18, format(tick), 'quiet', 'middle'),
  ]);
  const axis = writeText((left + right) / 2, y + 40, 'requests a second', 'quiet', 'middle');
  return writePicture({
    title: 'Requests a second',
    subtitle: 'The laptop edition under wrk; more is better.',
    height: y + 58,
    content: [...writeLegend(figures), ...grid, ...content, axis],
  });
}

function writeLegend(figures: readonly Figure[]): string[] {
  const measured = servers.filter(({ prefix, connections }) =>
    figures.some(({ name }) => name === `http.${prefix}single.c${connections}.per-second`),
  );
  return measured.flatMap(({ label, look }, index) => {
    const x = left + (index % 2) * 220;
    const y = 74 + Math.floor(index / 2) * 20;
    return [writeBar(x, y, 12, 12, look), writeText(x + 18, y + 10.5, label, 'quiet')];
  });
}

function format(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}
