import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Figure } from './figure.ts';

/** The figures as a table, the worst at its end, and with `--json FILE` as data for a check. */
export function reportFigures(figures: readonly Figure[]): void {
  const lines = figures.map(
    ({ name, value, budget, measured }) =>
      `${name.padEnd(26)}${value.toFixed(3).padStart(7)} x   ${measured}${value > budget ? '   OVER' : ''}`,
  );
  const worst = figures.toSorted((a, b) => b.value / b.budget - a.value / a.budget)[0];
  if (worst) {
    lines.push(`worst: ${worst.name} ${worst.value.toFixed(3)} x, budget ${worst.budget} x`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  const { values } = parseArgs({ options: { json: { type: 'string' } }, strict: false });
  if (typeof values.json !== 'string') return;
  const data = figures.map(({ name, value }) => ({ name, value: Number(value.toFixed(3)) }));
  writeFileSync(values.json, `${JSON.stringify({ figures: data }, null, 2)}\n`);
}
