import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routeNames } from '#functions/routes.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { buildBundles } from '#tools/bundles/build-bundles.ts';
import { deployedEnvironment } from '../functions/deployed-environment.ts';
import type { Ratio } from '../functions/report-ratios.ts';
import { median } from '../measure/percentile.ts';
import { buildBaseline } from './build-baseline.ts';
import { openImportTimer } from './import-timer.ts';

const rounds = 15;

/**
 * What the import of each function of the API costs, as a share of the baseline's. Every round
 * starts a fresh process for each, so that what slows the machine down slows all of them.
 */
export async function measureCold(): Promise<Ratio[]> {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-cold-'));
  try {
    const time = openImportTimer(directory);
    const baseline = await buildBaseline(directory);
    const bundles = await buildBundles(directory, catalog);
    const names: readonly string[] = [...routeNames, 'fallback'];
    const functions = bundles.filter(({ name }) => names.includes(name));
    const runs = Array.from({ length: rounds }, () => ({
      baseline: time(baseline, deployedEnvironment('read-jobs')),
      functions: functions.map(({ name, file }) => time(file, deployedEnvironment(name))),
    }));
    return functions.map(({ name }, index) => {
      const times = runs.map(({ baseline, functions }) => ({
        baseline,
        ms: functions[index] ?? Number.NaN,
      }));
      return describeImport(name, times);
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

interface ImportTime {
  readonly ms: number;
  readonly baseline: number;
}

/** The median of the ratios: a machine that changes its speed changes both times of a round. */
function describeImport(name: string, times: readonly ImportTime[]): Ratio {
  const ms = median(times.map((time) => time.ms)).toFixed(1);
  const baseline = median(times.map((time) => time.baseline)).toFixed(1);
  return {
    name: `cold.${name}`,
    value: median(times.map((time) => time.ms / time.baseline)),
    measured: `${ms} ms of processor time, baseline ${baseline} ms`,
  };
}
