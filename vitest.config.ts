import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.ts';

const closedNetwork = 'test/setup/close-network.ts';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Where `npm run suite -- policies` keeps what the service asks of AWS, from one project to the next. */
const recordsCalls = process.env.POLICIES === '1';
const recordedCalls = recordsCalls ? mkdtempSync(join(tmpdir(), 'slipway-calls-')) : '';
if (recordsCalls) process.once('exit', () => rmSync(recordedCalls, { recursive: true }));
const recorder = recordsCalls ? ['test/recording/record-calls.ts'] : [];

/** Without the slash at its end a path that is known so goes to its own function, and not to `$default`. */
const bothWays = {
  include: ['test/contract/**/*.test.ts', 'test/load/contract-without-slashes.test.ts'],
};

const env = {
  RECORDED_CALLS: recordedCalls,
  // Vite gives its workers a BASE_URL of its own: where the contract is sent goes by another name.
  CONTRACT_URL: process.env.BASE_URL ?? '',
  CATALOG: pathOf('test/fixtures/catalog.json'),
};

/** How fast a machine is must not decide a test: only what hangs takes as long as this. */
const patience = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
};

const onDynamoDbLocal = process.env.DYNAMODB_LOCAL === '1';

/**
 * Each file has tables of its own. DynamoDB Local, which the embedded table must behave as, takes
 * minutes of a processor: `npm run suite -- dynamodb`.
 */
const onEngines = {
  pool: 'threads',
  globalSetup: onDynamoDbLocal ? 'test/setup/start-dynamodb-local.ts' : [],
  env: { ...env, METRICS_DISABLED: 'true' },
};

/** Files whose tests run on every engine. For DynamoDB Local, no other file needs to be loaded. */
const onEveryEngine = (folder: string) => ({
  include: readdirSync(pathOf(`test/${folder}`))
    .map((file) => `test/${folder}/${file}`)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) =>
      /import \{[^}]*\b(engines|onEveryEngine)\b[^}]*\} from/.test(
        readFileSync(pathOf(file), 'utf8'),
      ),
    ),
});

/** Slurm is one on a machine, and its files use it in turn. */
const inTurn = { ...onEngines, fileParallelism: false, sequence: { groupOrder: 1 } };

/** Every function is built and synthesized once, and each file starts processes of its own. */
const onLambda = {
  globalSetup: 'test/setup/prepare-lambda.ts',
  env: { ...env, METRICS_DISABLED: 'true', LOG_LEVEL: 'SILENT' },
};

/** Beside them an AWS of others is started. */
const onIam = {
  ...onLambda,
  globalSetup: [onLambda.globalSetup, 'test/setup/start-fakecloud.ts'],
};

/** Each file has a browser, each test an edition, and the console is built before all of them. */
const inBrowser = { globalSetup: 'test/setup/build-console.ts' };

const environment = 'test/setup/function-environment.ts';

/** What shares nothing that it changes: one load serves all files (the CDK takes seconds to load). */
const loadedOnce = { isolate: false };

/** Suites have a catalog of their own, as do the processes that they start (env, above). */
const alias = { '#lib/catalog/chosen-systems.ts': pathOf('test/fixtures/chosen-systems.ts') };

interface SuiteOptions {
  readonly exclude?: string[];
  readonly [option: string]: unknown;
}

/** `npm test` leaves these to `npm run suite -- long`. A project's own list would replace the command's. */
const long = process.env.SHORT === '1' ? ['**/*.long.test.ts'] : [];

function suite(
  name: string,
  setupFiles: string[] = [],
  { exclude = [], ...more }: SuiteOptions = {},
) {
  return {
    resolve: { alias },
    test: {
      name,
      env,
      sequence: { groupOrder: 0 },
      include: [`test/${name}/**/*.test.ts`],
      exclude: [...exclude, ...long],
      setupFiles: [closedNetwork, ...setupFiles],
      ...patience,
      ...more,
    },
  };
}

/** The tests of lib that run within one process, which mutation runs too (test/mutation.config.ts). */
export const ofLib = [
  suite('unit', [], loadedOnce),
  suite('handlers', [environment], { ...loadedOnce, exclude: ['test/handlers/apart/**'] }),
  // Handlers that are loaded again, or with a module replaced.
  suite('handlers/apart', [environment], { pool: 'threads' }),
  // Stores and rules.
  suite('integration', recorder, {
    ...onEngines,
    ...loadedOnce,
    ...(onDynamoDbLocal && onEveryEngine('integration')),
  }),
];

/** The typed client and the command, before answers as scripted, and what the console works out. */
export const ofClient = [
  suite('client', [], { ...loadedOnce, exclude: ['test/client/service/**'] }),
  suite('console', [], loadedOnce),
];

export default defineConfig({
  test: {
    reporters: ['default', './test/setup/closing-line.ts'],
    // By default one processor is left free; of two that would be half. Some tests wait for timers
    // and processes, so there are more workers than processors.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // What was transformed once is not transformed again, in another project or in the next run.
    fsModuleCache: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      ...ofLib,
      // The service as a whole, whose functions read their environment when they are loaded.
      suite('service', recorder, onEngines),
      // What every kind of system must go through, on imitations that run jobs (docs/connectors.md). They
      // mostly wait.
      suite('connectors', [], { ...onEngines, maxConcurrency: 24 }),
      // Random histories of accounts: `npm run suite -- histories` and `model` play more of them.
      suite('model'),
      // Histories of concurrent calls, searched for an order: `npm run suite -- linear`.
      suite('linear', [], onEngines),
      // Every state of a few jobs under crashes: `npm run suite -- states`.
      suite('states', [], { env: { ...env, METRICS_DISABLED: 'true' } }),
      suite('contract', recorder, recordsCalls ? bothWays : {}),
      // Hostile requests over HTTP, some of them here: `npm run suite -- fuzz` sends many more.
      suite('fuzz', ['test/fuzz/watch-writes.ts']),
      ...ofClient,
      // The client before the whole service, in terminals, and as pages tell it: `npm run suite -- client`. Most
      // of its time it waits for simulated jobs, so that more files than processors are run at once.
      ...(process.env.CLIENT === '1' ? [suite('client/service', [], onEngines)] : []),
      // What is synthesized: `npm run suite -- infra`, for the CDK takes a minute of a processor.
      ...(process.env.INFRA === '1' ? [suite('infra', [], loadedOnce)] : []),
      // What the roles allow of what was recorded: `npm run suite -- policies`, after the projects that record.
      ...(recordsCalls ? [suite('policies', [], { sequence: { groupOrder: 1 } })] : []),
      // The same before a party that decides by IAM: `npm run suite -- iam`.
      ...(process.env.IAM === '1'
        ? [suite('iam', [], { ...onIam, sequence: { groupOrder: 1 } })]
        : []),
      // Every function as it is deployed: `npm run suite -- bundles`, for esbuild takes both processors.
      ...(process.env.BUNDLES === '1' ? [suite('bundles', [], onEngines)] : []),
      // Every bundle in Lambda's own runtime client: `npm run suite -- lambda`, and no part of `npm test`.
      ...(process.env.LAMBDA === '1' ? [suite('lambda', [], onLambda)] : []),
      // Hundreds of requests, files of many megabytes, laptop editions as processes, the contract once
      // more: `npm run suite -- load`.
      ...(process.env.LOAD === '1'
        ? [suite('load', [], { ...onEngines, ...(onDynamoDbLocal && onEveryEngine('load')) })]
        : []),
      // The console in a real Chromium: `npm run suite -- browser`, for it takes minutes. While a file waits for
      // simulated jobs or for a page, others run.
      ...(process.env.BROWSER === '1'
        ? [suite('browser', [], { ...inBrowser, exclude: ['test/browser/sizes/**'] })]
        : []),
      // All pages with nothing, little and much to show, which takes minutes: `npm run suite -- sizes`.
      ...(process.env.SIZES === '1' ? [suite('browser/sizes', [], inBrowser)] : []),
      // Jobs as processes of this machine, which mostly wait: `npm run suite -- machine`.
      ...(process.env.MACHINE === '1' ? [suite('machine')] : []),
      // One machine for a group, behind Debian's nginx: `npm run suite -- workstation`.
      ...(process.env.WORKSTATION === '1'
        ? [suite('workstation', [], { ...inBrowser, fileParallelism: false })]
        : []),
      // Killed again and again, which takes minutes: `npm run suite -- kills`, and no part of `npm test`.
      ...(process.env.KILLS === '1' ? [suite('kills')] : []),
      // A machine that is lost, and another one that goes on: `npm run suite -- standby`.
      ...(process.env.STANDBY === '1' ? [suite('standby')] : []),
      // Faults of all parties, in this process and of whole ones: `npm run suite -- faults`.
      ...(process.env.FAULTS === '1' ? [suite('faults', [environment])] : []),
      // A real Slurm, installed and started: `npm run suite -- slurm`, and no part of `npm test`.
      ...(process.env.SLURM === '1' ? [suite('slurm', [], inTurn)] : []),
      // A real UNICORE/X, downloaded and started: `npm run suite -- unicore`, and no part of `npm test`.
      ...(process.env.UNICORE === '1' ? [suite('unicore', [], inTurn)] : []),
    ],
  },
});
