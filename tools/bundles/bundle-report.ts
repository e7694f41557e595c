import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOperatorCatalog } from '../catalog/read-operator-catalog.ts';
import { bundleBudget, consoleBudget, weighConsole } from '../client/build-console.ts';
import { exitWith } from '../run-tool.ts';
import { buildBundles } from './build-bundles.ts';

const parts = ['first', 'researcher', 'part', 'style'] as const;

/**
 * `npm run bundle:report` prints the size of every function with its largest packages, and the size
 * of the console.
 */
await exitWith(async () => {
  const catalog = readOperatorCatalog();
  const directory = mkdtempSync(join(tmpdir(), 'slipway-bundles-'));
  try {
    const bundles = await buildBundles(directory, catalog);
    const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
    for (const { name, bytes, largest } of bundles) {
      const packages = largest.map((each) => `${each.name} ${kilobytes(each.bytes)}`).join(', ');
      const mark = bytes > bundleBudget ? '  OVER' : '';
      process.stdout.write(
        `${name.padEnd(20)}${kilobytes(bytes).padStart(10)}${mark}   ${packages}\n`,
      );
    }
    process.stdout.write(`${'budget'.padEnd(20)}${kilobytes(bundleBudget).padStart(10)}\n`);
    const weight = await weighConsole(join(directory, 'console'));
    for (const part of parts) {
      const mark = weight[part] > consoleBudget[part] ? '  OVER' : '';
      process.stdout.write(
        `${`console, ${part}`.padEnd(20)}${kilobytes(weight[part]).padStart(10)}${mark}   compressed, of ${kilobytes(consoleBudget[part])}\n`,
      );
    }
    const isOver =
      bundles.some(({ bytes }) => bytes > bundleBudget) ||
      parts.some((part) => weight[part] > consoleBudget[part]);
    return isOver ? 1 : 0;
  } finally {
    rmSync(directory, { recursive: true });
  }
});
