import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listeners } from '#functions/listeners.ts';
import { routes } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import { licencesFile } from '#infra/constructs/functions/third-party.ts';
import type { Answer } from '#lib/http/answers/answer.ts';
import type { ApiResponse } from '#lib/http/respond.ts';
import { dataSteps } from '#lib/table/data-steps.ts';
import { dataStepsKey } from '#lib/table/keys.ts';
import { openTable } from '#lib/table/table.ts';
import type { TableUse } from '#lib/table/table-use.ts';
import { changeItem } from '#lib/table/writes.ts';
import type { Listening } from '#local/loopback/listen-on-loopback.ts';
import { type Service, startService } from '#local/start-service.ts';
import type { BusEvent } from '#local/stream/put-events.ts';
import { startEventBus } from '#test/engines/start-event-bus.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { type Bundle, buildBundles, functionFiles } from '#tools/bundles/build-bundles.ts';
import { isOver, readBudgets, writeBudgets } from '#tools/bundles/bundle-budgets.ts';
import { exampleEvent, exampleNames } from '#tools/events/example-event.ts';
import { lambdaContext } from '../fixtures/api-event.ts';

/** Their examples name what is not there. */
const missing = [
  'delete-job',
  'delete-batch',
  'read-files',
  'clear-folder',
  'hand-out-input',
  'take-results',
  'delete-any-job',
  'delete-webhook',
  'withdraw-request',
  'decide-request',
];

/** The status that an example is answered with; what no route calls answers nothing. */
function expectedStatus(name: string): number | undefined {
  if (missing.includes(name)) return 404;
  if (name === 'fallback') return 200;
  const route = Object.entries(routes).find(([each]) => each === name)?.[1];
  const [usual] = route ? Object.values<readonly Answer[]>(route.answers).flat() : [];
  return usual?.status;
}

let directory: string;
let service: Service;
let bus: Listening;
const arrived: BusEvent[] = [];
let bundles: Bundle[];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-'));
  service = await startService({ port: 0, dataDirectory: 'memory', stateDirectory: directory });
  // Without running jobs the service has no bus.
  bus = await startEventBus({ name: 'slipway', onEvents: (events) => arrived.push(...events) });
  process.env.AWS_ENDPOINT_URL_EVENTBRIDGE = bus.endpoint;
  bundles = await buildBundles(directory, catalog);
  if (process.env.WRITE_BUDGETS === '1') writeBudgets(bundles);
});
afterAll(async () => {
  await service.close();
  await bus.close();
  rmSync(directory, { recursive: true });
});

const require = createRequire(import.meta.url);

/** Loads a bundle as a new container does. */
const loadAnew: NodeJS.Require = Object.assign((file: string) => {
  delete require.cache[file];
  const loaded = require(file);
  delete require.cache[file];
  return loaded;
}, require);

/** As Lambda does it: the built file, its handler, the event. */
async function invoke(
  name: string,
  path?: string,
  load: NodeJS.Require = require,
): Promise<ApiResponse | undefined> {
  const bundle = bundles.find((each) => each.name === name);
  const { handler } = load(bundle?.file ?? '');
  const headers = { 'accept-encoding': 'br' };
  const event = exampleEvent(name, { issuer: service.issuer });
  return handler(
    { ...event, ...(path !== undefined && { rawPath: path, headers }) },
    lambdaContext,
  );
}

describe('bundles', () => {
  it('are one per function', () => {
    expect(bundles.map(({ name }) => name)).toEqual(Object.keys(functionFiles));
  });

  it.each(Object.keys(functionFiles))('%s loads no more than its budget', (name) => {
    const { bytes = 0, modules = 0 } = bundles.find((each) => each.name === name) ?? {};
    expect(bytes).toBeGreaterThan(1000);
    expect(modules).toBeGreaterThan(10);
    expect(isOver({ bytes, modules }, readBudgets()[name])).toBe(false);
  });

  it.each(Object.keys(functionFiles))('%s has the licences of its packages beside it', (name) => {
    const { file = '', packages = [] } = bundles.find((each) => each.name === name) ?? {};
    const licences = readFileSync(join(dirname(file), licencesFile), 'utf8');
    expect(packages.length).toBeGreaterThan(3);
    for (const { name, version, licence } of packages) {
      expect(licences).toContain(`\n${name} ${version} (${licence})`);
      expect(['MIT', 'Apache-2.0', 'MIT-0', 'ISC', 'BSD-3-Clause', '0BSD']).toContain(licence);
    }
    // Packages whose code is in the bundle, by the names that esbuild keeps in the source map.
    const { sources }: { sources: string[] } = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
    const mapped = sources.flatMap(
      (source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [],
    );
    const listed = new Set(packages.map((each) => each.name));
    expect(new Set(mapped).difference(listed)).toEqual(new Set());
  });
});

/** What a release stores that this one has never heard of. */
const planted = { number: 99, since: '9.9.0', brings: 'something new' };

/** Its example is refused before anything of the table is read. */
const refusedEarlier = 'map-accounts';

/** The handlers that `$default` holds are those of other functions. */
const usingTable = [routes, schedules, listeners]
  .flatMap((list) => Object.entries<{ readonly table?: TableUse; readonly file: string }>(list))
  .flatMap(([name, { table }]) => (table && name !== refusedEarlier ? [name] : []));

async function writeSteps(steps: readonly object[]): Promise<void> {
  const table = openTable('slipway', { endpoint: service.dynamoDbEndpoint });
  await changeItem(table, dataStepsKey(), { set: { steps } });
}

describe('data of a later release', () => {
  beforeAll(() => writeSteps([...dataSteps, planted]));
  afterAll(() => writeSteps(dataSteps));

  it.each(usingTable)('is refused by %s', async (name) => {
    const refused = await invoke(name, undefined, loadAnew).then(
      (answer) => ({ status: answer?.statusCode, text: answer?.body }),
      (error: Error) => ({ status: 503, text: error.message }),
    );
    expect(refused).toEqual({
      status: 503,
      text: expect.stringContaining('does not know step 99 (9.9.0: something new)'),
    });
  });
});

describe('example events', () => {
  it('are one per function', () => {
    expect(exampleNames.toSorted()).toEqual(Object.keys(functionFiles).sort());
    expect(missing.filter((name) => !exampleNames.includes(name))).toEqual([]);
  });

  it.each(Object.keys(functionFiles))(
    '%s answers its event from the built bundle',
    async (name) => {
      const answer = await invoke(name);
      expect(answer?.statusCode).toBe(expectedStatus(name));
    },
  );

  it.each([
    { name: 'read-reference', path: '/docs/', holds: '<title>Slipway' },
    { name: 'read-reference', path: '/docs/reference.js', holds: 'const contents' },
    { name: 'read-reference', path: '/openapi.json', holds: '"openapi":"3.1.1"' },
    { name: 'fallback', path: '/docs/', holds: '<title>Slipway' },
  ])('$name has $path beside its bundle, packed', async ({ name, path, holds }) => {
    const { headers, body = '' } = (await invoke(name, path)) ?? {};
    expect(headers).toMatchObject({ 'content-encoding': 'br' });
    const bytes = Buffer.from(body, 'base64');
    expect(brotliDecompressSync(bytes).toString()).toContain(holds);
    expect(bytes.length).toBeLessThan(60_000);
  });

  it('of dispatch-jobs and publish-events arrive at the bus', () => {
    const types = arrived.map((event) => event['detail-type']);
    expect(types).toEqual(['jobs.due', 'job.submitted']);
  });
});
