import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataSteps } from '#lib/table/data-steps.ts';
import { releases } from '#test/releases/releases.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
const readPython = (folder: string) => /"(.*)"/.exec(read(`${folder}/_version.py`))?.[1];
const { version } = JSON.parse(read('package.json'));

it('is the same in everything that a release hands out', () => {
  const lock = JSON.parse(read('package-lock.json'));
  expect({
    lock: lock.version,
    'root of the lock': lock.packages[''].version,
    'client of the lock': lock.packages.client.version,
    client: JSON.parse(read('client/package.json')).version,
    python: readPython('python/src/slipway_hpc'),
    'plugin of Snakemake': readPython(
      'python/snakemake-executor-plugin-slipway/src/snakemake_executor_plugin_slipway',
    ),
    'provider for Parsl': readPython('python/slipway-parsl/src/slipway_parsl'),
    'command for Nextflow': readPython('python/slipway-nextflow/src/slipway_nextflow'),
    description: JSON.parse(read('docs/openapi.json')).info.version,
    'last release in the changelog': /^## (\d\S+) - /m.exec(read('CHANGELOG.md'))?.[1],
    'last release that was described': JSON.parse(read('docs/openapi.released.json')).info.version,
  }).toEqual({
    lock: version,
    'root of the lock': version,
    'client of the lock': version,
    client: version,
    python: version,
    'plugin of Snakemake': version,
    'provider for Parsl': version,
    'command for Nextflow': version,
    description: version,
    'last release in the changelog': version,
    'last release that was described': version,
  });
});

it('is that of the last step of the data, or a later one', () => {
  const [, unreleased = ''] = /## Unreleased\n(.*?)\n## /s.exec(read('CHANGELOG.md')) ?? [];
  // A step that is not released yet is announced, so that the release with it gets its number.
  const released = dataSteps.filter(({ number }) => !unreleased.includes(`new step (${number})`));
  const since = released.at(-1)?.since ?? '';
  expect(since.localeCompare(version, 'en', { numeric: true })).toBeLessThanOrEqual(0);
  const coming = dataSteps.slice(released.length).map((step) => step.since);
  const [major, minor] = version.split('.').map(Number);
  for (const each of coming) expect(each).toBe(`${major}.${minor + 1}.0`);
});

it('has data of every release, the last one included', () => {
  const released = [...read('CHANGELOG.md').matchAll(/^## (\d\S+) - /gm)].map(([, name]) => name);
  expect(releases.map(({ release }) => release)).toEqual(released.reverse());
});
