import { request } from 'node:http';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Listening } from '#local/loopback/listen-on-loopback.ts';
import { callListeners } from '#local/stream/call-listeners.ts';
import type { BusEvent } from '#local/stream/put-events.ts';
import { startEventBus } from '#test/engines/start-event-bus.ts';

let bus: Listening;
let client: EventBridgeClient;
let arrived: BusEvent[];
beforeAll(async () => {
  bus = await startEventBus({ name: 'slipway', onEvents: (events) => arrived.push(...events) });
  client = new EventBridgeClient({
    endpoint: bus.endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
});
beforeEach(() => {
  arrived = [];
});
afterAll(async () => {
  client.destroy();
  await bus.close();
});

const entry = {
  EventBusName: 'slipway',
  Source: 'slipway',
  DetailType: 'job.ended',
  Detail: '{"id":"1"}',
  Time: new Date('2026-11-15T08:30:00.700Z'),
};

const put = (...Entries: object[]) => client.send(new PutEventsCommand({ Entries }));

describe('the bus of the laptop edition', () => {
  it('turns each entry into an event, as EventBridge does', async () => {
    const { FailedEntryCount, Entries } = await put(entry, { ...entry, DetailType: 'quota.low' });
    expect(FailedEntryCount).toBe(0);
    expect(arrived).toEqual(
      ['job.ended', 'quota.low'].map((type, index) => ({
        version: '0',
        id: Entries?.[index]?.EventId,
        source: 'slipway',
        'detail-type': type,
        time: '2026-11-15T08:30:00Z',
        region: 'local',
        account: '000000000000',
        resources: [],
        detail: { id: '1' },
      })),
    );
    expect(new Set(arrived.map(({ id }) => id)).size).toBe(2);
  });

  it('refuses an invalid entry and accepts its neighbour', async () => {
    const { FailedEntryCount, Entries } = await put(
      { ...entry, Detail: 'no JSON' },
      { ...entry, Detail: '[]' },
      { ...entry, Source: undefined },
      entry,
    );
    expect(FailedEntryCount).toBe(3);
    expect(Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
      'MalformedDetail',
      'MalformedDetail',
      'InvalidArgument',
      undefined,
    ]);
    expect(arrived).toHaveLength(1);
  });

  it('ignores entries for another bus', async () => {
    const { FailedEntryCount } = await put({ ...entry, EventBusName: 'other' });
    expect(FailedEntryCount).toBe(0);
    expect(arrived).toEqual([]);
  });

  it('accepts at most ten entries', async () => {
    const many = (count: number) => Array.from({ length: count }, () => entry);
    await expect(put(...many(11))).rejects.toThrow('PutEvents');
    expect(arrived).toEqual([]);
    await put(...many(10));
    expect(arrived).toHaveLength(10);
  });

  it.each([
    { name: 'another operation', headers: { 'x-amz-target': 'AWSEvents.PutRule' }, status: 400 },
    { name: 'a form of a web page', headers: { 'content-type': 'text/plain' }, status: 400 },
    { name: 'a name that is not this machine', headers: { host: 'evil.example' }, status: 403 },
  ])('refuses $name', async ({ headers, status }) => {
    const all = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSEvents.PutEvents',
      ...headers,
    };
    const sent = request(bus.endpoint, { method: 'POST', headers: all });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      sent.on('response', (response) => resolve(response.resume().statusCode));
      sent.on('error', reject);
    });
    sent.end(JSON.stringify({ Entries: [{ ...entry, Time: 1 }] }));
    expect(await answered).toBe(status);
    expect(arrived).toEqual([]);
  });
});

describe('listeners', () => {
  const event = (id: string): BusEvent => ({
    version: '0',
    id,
    source: 'slipway',
    'detail-type': 'job.ended',
    time: '2026-11-15T08:30:00Z',
    region: 'local',
    account: '000000000000',
    resources: [],
    detail: {},
  });

  it('each receive every event, one by one, with retries after a failure', async () => {
    const told: string[] = [];
    let failures = 1;
    const listeners = ['a', 'b'].map((name) => ({
      name,
      source: 'slipway',
      async handler({ id }: BusEvent) {
        told.push(`${name}${id}`);
        failures -= 1;
        if (failures === 0) throw new Error('not now');
      },
    }));
    const calls = callListeners(listeners);
    calls.take([event('1'), event('2')]);
    expect(told).toEqual([]);
    await calls.settled();
    expect(told.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a1', 'a2']);
    expect(told.filter((name) => name.startsWith('b'))).toEqual(['b1', 'b2']);
  });

  it('keep nothing of events that are done', async () => {
    const calls = callListeners([{ name: 'a', source: 'slipway', handler: async () => undefined }]);
    for (const id of ['1', '2', '3']) calls.take([event(id)]);
    // A value here would hold the values of all events before it, as long as the process lives.
    expect(await calls.settled()).toBeUndefined();
  });
});
