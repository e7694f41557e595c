import { existsSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { flag, runTool } from '../run-tool.ts';

const help = `Changes the sources in small ways and reports the changes that no test notices (docs/testing.md).
Exits with 1 if the tests notice less than 95 percent.

  npm run suite -- mutation [--changed] [--quick] [PATH ...]

  PATH       a folder or a file in lib, functions or client/src, without the command (default: lib)
  --changed  reuse the last run's results for code and tests that have not changed
  --quick    leave out what is evaluated while a module loads, which takes most of the time
`;

const folder = '.mutation';
const isMutable = /^(lib|functions|client\/src)\//;

await runTool(help, { changed: flag, quick: flag }, async (values, positionals) => {
  const paths = positionals.length > 0 ? positionals : ['lib'];
  const missing = paths.find((path) => !isMutable.test(`${path}/`) || !existsSync(path));
  if (missing !== undefined) {
    throw new Error(`${missing} is not a folder or a file in lib, functions or client/src.`);
  }
  const ofClient = paths.every((path) => path.startsWith('client/'));
  if (!ofClient && paths.some((path) => path.startsWith('client/'))) {
    throw new Error('The client has tests of its own: mutate it apart from the rest.');
  }
  const which = ofClient ? '-client' : values.quick === true ? '-quick' : '';
  const name = paths.join('+').replaceAll('/', '-');
  await new Stryker({
    mutate: [
      ...paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`)),
      '!client/src/{cli,generated}/**',
    ],
    testRunner: 'vitest',
    vitest: { configFile: `test/mutation${which}.config.ts` },
    plugins: ['@stryker-mutator/vitest-runner', './tools/mutation/mutation-texts.ts'],
    ignorers: ['texts'],
    thresholds: { high: 100, low: 95, break: 95 },
    // A busy machine must not look like an endless loop.
    timeoutMS: 30_000,
    dryRunTimeoutMinutes: 30,
    concurrency: 2,
    incremental: true,
    incrementalFile: `${folder}/${name}.json`,
    force: !values.changed,
    ignoreStatic: values.quick === true,
    reporters: ['progress-append-only', 'clear-text', 'html'],
    clearTextReporter: { reportTests: false, allowColor: false, skipFull: true },
    htmlReporter: { fileName: `${folder}/${name}.html` },
    tempDirName: `${folder}/sandbox`,
    ignorePatterns: ['bench', 'cdk.out', 'infra', `/${folder}`],
    disableTypeChecks: false,
    // Stryker rewrites tsconfig.json with TypeScript's parser, which TypeScript 7 no longer has.
    tsconfigFile: 'none.json',
  }).runMutationTest();
  return Number(process.exitCode ?? 0);
});
