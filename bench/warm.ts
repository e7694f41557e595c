import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { bundleOptions } from '#infra/constructs/functions/bundle-options.ts';
import { chooseSystems } from '#lib/catalog/chosen-systems.ts';
import { openTable } from '#lib/table/table.ts';
import { audience, inputsBucket, issuer, resultsBucket, tableName } from '#local/names.ts';
import { startService } from '#local/start-service.ts';
import { startStorage } from '#local/storage/start-storage.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { hpcOne, jobFixture, seedJobs } from '#test/fixtures/jobs.ts';
import { userId } from '#test/fixtures/names.ts';
import { buildBundles } from '#tools/bundles/build-bundles.ts';
import { exampleEvent } from '#tools/events/example-event.ts';
import { deployedEnvironment } from './measure/deployed-environment.ts';
import { median, type Ratio, reportRatios } from './measure/figures.ts';
import type { Part } from './measure/part.ts';
import {
  type Compared,
  type Comparison,
  type RecordedCall,
  startRecorder,
} from './warm/recorder.ts';

export const part: Part = {
  about: `Measures what a request costs through the whole chain, as a multiple of a bare handler with the same calls.
`,
  measure: async () => reportRatios(await measureWarm()),
};

/**
 * Measures the processor time of a request through the whole chain of a built function, as a
 * multiple of a bare handler that only verifies the token and makes the same calls.
 */
async function measureWarm(): Promise<Ratio[]> {
  const scene = await openWarmScene();
  try {
    const figures: Ratio[] = [];
    for (const each of warmCases) figures.push(await measureCase(scene, each));
    return figures;
  } finally {
    await scene.close();
  }
}

async function measureCase(scene: WarmScene, warmCase: WarmCase): Promise<Ratio> {
  const { name, bundle, change } = warmCase;
  const { issuer } = scene;
  const comparison: Comparison = {
    chainFile: fileOf(scene, bundle),
    bareFile: scene.bareFile,
    event: { ...exampleEvent(bundle, { issuer, names: { user_id: callers.chain } }), ...change },
    token: issuer.issueToken({ user: callers.chain }),
    calls: await recordCalls(scene, warmCase),
    resultFile: scene.write(`${name}-result.json`, {}),
  };
  const file = scene.write(`${name}.json`, comparison);
  await scene.run('compare-handlers.ts', bundle, scene.endpoints, [file]);
  const { chain, bare }: Compared = JSON.parse(readFileSync(comparison.resultFile, 'utf8'));
  const ratios = chain.map((ms, round) => ms / (bare[round] ?? Number.NaN));
  return {
    name: `warm.${name}`,
    value: median(ratios),
    measured: `${median(chain).toFixed(3)} ms of processor time, bare ${median(bare).toFixed(3)} ms`,
  };
}

/** Returns the calls of the second request, because a user's first request has more to do. */
async function recordCalls(
  scene: WarmScene,
  { name, bundle, change }: WarmCase,
): Promise<RecordedCall[]> {
  const recorders = {
    table: await startRecorder(scene.endpoints.table),
    storage: await startRecorder(scene.endpoints.storage),
  };
  const endpoints = { table: recorders.table.endpoint, storage: recorders.storage.endpoint };
  const teller = { issuer: scene.issuer, names: { user_id: callers.bare } };
  const event = { ...exampleEvent(bundle, teller), ...change };
  const args = [fileOf(scene, bundle), scene.write(`${name}-event.json`, event)];
  await scene.run('call-once.ts', bundle, endpoints, args);
  const all = () => [...recorders.storage.calls, ...recorders.table.calls];
  const first = new Set(all());
  await scene.run('call-once.ts', bundle, endpoints, args);
  await Promise.all([recorders.table.close(), recorders.storage.close()]);
  return all().filter((call) => !first.has(call));
}

function fileOf({ bundles }: WarmScene, bundle: string): string {
  const file = bundles.find(({ name }) => name === bundle)?.file;
  if (file === undefined) throw new Error(`There is no bundle ${bundle}.`);
  return file;
}

const credentials = { region: 'eu-central-1', accessKeyId: 'local', secretAccessKey: 'local' };
const jobsEach = 1000;

interface Endpoints {
  readonly table: string;
  readonly storage: string;
}

type WarmScene = Awaited<ReturnType<typeof openWarmScene>>;

/**
 * Runs table and storage in this process, so that a function is not charged for their processor
 * time.
 */
async function openWarmScene() {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-warm-'));
  const storage = await startStorage({ buckets: [inputsBucket, resultsBucket], credentials });
  chooseSystems(catalog.systems);
  const service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory: directory,
    storageEndpoint: storage.endpoint,
  });
  for (const user of Object.values(callers))
    await seedJobs(openTable(tableName), user, 1, jobsEach);
  const environment = (name: string, endpoints: Endpoints) => ({
    ...withoutSession(deployedEnvironment(name)),
    TABLE_NAME: tableName,
    INPUTS_BUCKET: inputsBucket,
    RESULTS_BUCKET: resultsBucket,
    ISSUER: issuer,
    AUDIENCE: audience,
    JWKS: service.issuer.jwks,
    // Otherwise the rate limit would be measured.
    CALLER_RATE: 'off',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.table,
    AWS_ENDPOINT_URL_S3: endpoints.storage,
  });
  return {
    endpoints: { table: service.dynamoDbEndpoint, storage: storage.endpoint },
    bundles: await buildBundles(directory, catalog),
    bareFile: await buildBare(directory),
    issuer: service.issuer,
    /** Writes a file for another process. */
    write(name: string, content: object) {
      const file = join(directory, name);
      writeFileSync(file, JSON.stringify(content));
      return file;
    },
    /** Runs a script of this folder with the environment of that function. */
    async run(script: string, name: string, endpoints: Endpoints, args: readonly string[]) {
      const file = join(import.meta.dirname, 'warm', script);
      await runApart([file, ...args], environment(name, endpoints));
    },
    async close() {
      await service.close();
      await storage.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Removes the session token, because the keys of the local storage have none. */
function withoutSession(environment: Readonly<Record<string, string>>): Record<string, string> {
  const { AWS_SESSION_TOKEN: _, ...others } = environment;
  return others;
}

/** Builds the bare handler as functions are built. */
async function buildBare(directory: string): Promise<string> {
  const outfile = join(directory, 'bare', 'index.js');
  const entry = join(import.meta.dirname, 'warm/bare-handler.ts');
  await build({
    ...bundleOptions({ catalog }),
    entryPoints: [entry],
    outfile,
    logLevel: 'warning',
  });
  return outfile;
}

/**
 * Runs a script in its own process with exactly this environment. Its log is read, as Lambda does,
 * and discarded.
 */
async function runApart(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(process.execPath, args, {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${errors.slice(-1000)}`);
}

/**
 * The caller of the chain, and the caller whose calls the bare handler repeats. Both have the same
 * jobs.
 */
const callers = { chain: userId('306328'), bare: userId('306329') };

interface WarmCase {
  readonly name: string;
  /** Name of the function and of its example event. */
  readonly bundle: string;
  /** Changes to the example event. */
  readonly change: { readonly rawPath?: string; readonly rawQueryString?: string };
}

const { jobId } = jobFixture(callers.chain, 1);

const warmCases: readonly WarmCase[] = [
  {
    name: 'single-job',
    bundle: 'read-jobs',
    change: { rawPath: `/jobs/${hpcOne.hpc}/${hpcOne.name}/${jobId}/` },
  },
  { name: 'page-of-100', bundle: 'read-jobs', change: { rawQueryString: 'limit=100' } },
  { name: 'own-quotas', bundle: 'read-quotas', change: {} },
  { name: 'submission', bundle: 'submit-job', change: {} },
];
