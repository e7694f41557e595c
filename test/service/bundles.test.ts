import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BusEvent } from '#local/event-bus/put-events.ts';
import { startEventBus } from '#local/event-bus/start-event-bus.ts';
import type { Listening } from '#local/loopback/listen-on-loopback.ts';
import { type Service, startService } from '#local/start-service.ts';
import { bundleBudget } from '#tools/bundles/budget.ts';
import { type Bundle, buildBundles, functionFiles } from '#tools/bundles/build-bundles.ts';
import { lambdaContext } from '../fixtures/api-event.ts';

const events = join(import.meta.dirname, '../events');

/** What each example is answered with; what the clock, the stream and the bus call answers nothing. */
const expected: Record<string, number | undefined> = {
  'read-jobs': 200,
  'submit-job': 201,
  'create-upload': 201,
  'delete-job': 404,
  'read-files': 404,
  'read-quotas': 200,
  'read-all-quotas': 200,
  'grant-quota': 201,
  'remove-quota': 200,
  'read-audit': 200,
  'read-users': 200,
  'ban-user': 200,
  'unban-user': 200,
  'read-all-jobs': 200,
  'cancel-job': 404,
  'read-webhooks': 200,
  'create-webhook': 201,
  'delete-webhook': 404,
  'list-systems': 200,
  'read-projects': 200,
  'read-status': 200,
  fallback: 404,
  'track-jobs': undefined,
  'deliver-webhooks': undefined,
  'measure-queue': undefined,
  'expire-quotas': undefined,
  'reconcile-accounts': undefined,
  'dispatch-jobs': undefined,
  'publish-events': undefined,
  'queue-deliveries': undefined,
};

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
  bundles = await buildBundles(directory);
});
afterAll(async () => {
  await service.close();
  await bus.close();
  rmSync(directory, { recursive: true });
});

/** As `sam local invoke` does it: the built file, its handler, the event. */
async function invoke(name: string): Promise<{ statusCode?: number } | undefined> {
  const { issuer } = service;
  const event = readFileSync(join(events, `${name}.json`), 'utf8')
    .replace('<TOKEN>', issuer.issueToken({ user: '306328' }))
    .replace('<ADMIN_TOKEN>', issuer.issueToken({ user: '100001', administrator: true }));
  const bundle = bundles.find((each) => each.name === name);
  const { handler } = createRequire(import.meta.url)(bundle?.file ?? '');
  return handler(JSON.parse(event), lambdaContext);
}

describe('bundles', () => {
  it('are one per function', () => {
    expect(bundles.map(({ name }) => name)).toEqual(Object.keys(functionFiles));
  });

  it.each(Object.keys(functionFiles))('%s stays within the budget', (name) => {
    const bundle = bundles.find((each) => each.name === name);
    expect(bundle?.bytes).toBeGreaterThan(1000);
    expect(bundle?.bytes).toBeLessThanOrEqual(bundleBudget);
  });
});

describe('example events', () => {
  it('are one per function', () => {
    const names = readdirSync(events).map((file) => file.replace(/\.json$/, ''));
    expect(names.sort()).toEqual(Object.keys(functionFiles).sort());
    expect(Object.keys(expected).sort()).toEqual(names);
  });

  it.each(Object.keys(functionFiles))(
    '%s answers its event from the built bundle',
    async (name) => {
      const answer = await invoke(name);
      expect(answer?.statusCode).toBe(expected[name]);
    },
  );

  it('of publish-events arrives at the bus', () => {
    expect(arrived.map((event) => event['detail-type'])).toEqual(['job.submitted']);
  });
});
