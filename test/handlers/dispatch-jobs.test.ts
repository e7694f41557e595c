import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/streams/dispatch-jobs.ts';
import { batchItem, batchSample } from '../fixtures/batches.ts';
import { jobId } from '../fixtures/names.ts';
import { hpcOne, hpcTwo, jobItem, lifeItem, user } from '../fixtures/samples.ts';

const bus = mockClient(EventBridgeClient);

beforeEach(() => {
  bus.reset();
  bus.on(PutEventsCommand).callsFake(({ Entries = [] }) => ({
    FailedEntryCount: 0,
    Entries: Entries.map((_: unknown, index: number) => ({ EventId: `e${index}` })),
  }));
});

function record(item: Record<string, unknown>): DynamoDBRecord {
  return { eventName: 'INSERT', dynamodb: { NewImage: Object(marshall(item)) } };
}

/** The change by which a job of a batch ended. All of its jobs exist and had their turn. */
function endInBatch(counts: object): DynamoDBRecord {
  const batch = { awaited: true, unfolded: 3, next_release: 3 };
  return {
    eventName: 'MODIFY',
    dynamodb: {
      OldImage: Object(marshall(batchItem({ ...batch, done: 1 }))),
      NewImage: Object(marshall(batchItem({ ...batch, ...counts }))),
    },
  };
}

function sentEntries() {
  return bus.commandCalls(PutEventsCommand).flatMap(({ args: [{ input }] }) => input.Entries ?? []);
}

describe('dispatch-jobs', () => {
  it('tells of due jobs, each system apart from the others', async () => {
    const lives = [
      lifeItem(hpcOne),
      lifeItem(hpcTwo),
      lifeItem(hpcOne, { jobId: jobId('ANOTHER') }),
    ];
    await handler({ Records: lives.map(record) });
    const keyOf = ({ PK, SK, due_at: dueAt }: ReturnType<typeof lifeItem>) => ({ PK, SK, dueAt });
    const [one, two, another] = lives.map(keyOf);
    expect(sentEntries()).toMatchObject([
      { EventBusName: 'slipway-test', Source: 'slipway.work', DetailType: 'jobs.due' },
      { EventBusName: 'slipway-test', Source: 'slipway.work', DetailType: 'jobs.due' },
    ]);
    expect(sentEntries().map(({ Detail = '' }) => JSON.parse(Detail))).toEqual([
      { hpc: 'hpc_one', due: [one, another] },
      { hpc: 'hpc_two', due: [two] },
    ]);
  });

  it('puts aside a life that cannot be read, and tells of the others', async () => {
    const damaged = { ...lifeItem(hpcTwo), hpc: 7 };
    await handler({ Records: [record(damaged), record(lifeItem(hpcOne))] });
    expect(sentEntries().map(({ Detail = '' }) => JSON.parse(Detail).hpc)).toEqual(['hpc_one']);
  });

  it.each([
    { what: 'is not due yet', item: { ...lifeItem(hpcOne), due_at: '2999-01-01T00:00:00.000Z' } },
    { what: 'has ended', item: { ...lifeItem(hpcOne), due_at: undefined } },
    { what: 'is no life', item: jobItem(hpcOne) },
  ])('leaves alone what $what', async ({ item }) => {
    const known = Object.fromEntries(
      Object.entries(item).filter(([, value]) => value !== undefined),
    );
    await handler({ Records: [record(known), { eventName: 'REMOVE', dynamodb: {} }] });
    expect(sentEntries()).toEqual([]);
  });

  it('tells of ends that others wait for, and of waiting jobs that can be checked', async () => {
    const ended = { ...jobItem(hpcOne), awaited: true, terminal: true };
    const waiting = { ...lifeItem(hpcTwo), waiting: true };
    const batch = endInBatch({ done: 2, failed: 1 });
    await handler({ Records: [record(ended), record(waiting), batch] });
    expect(sentEntries()).toMatchObject([
      { EventBusName: 'slipway-test', Source: 'slipway.chains', DetailType: 'jobs.waiting' },
      { EventBusName: 'slipway-test', Source: 'slipway.chains', DetailType: 'jobs.waiting' },
    ]);
    const { PK, SK } = waiting;
    expect(sentEntries().map(({ Detail = '' }) => JSON.parse(Detail))).toEqual([
      { owner: user, ended: [hpcOne.jobId, batchSample.id], waiting: [] },
      { owner: user, ended: [], waiting: [{ PK, SK }] },
    ]);
  });

  it.each([
    { what: 'runs', change: record({ ...jobItem(hpcOne), awaited: true }) },
    { what: 'ends before others of its batch', change: endInBatch({ done: 2 }) },
    { what: 'nobody waits for', change: record({ ...jobItem(hpcOne), terminal: true }) },
    {
      what: 'waits on',
      change: record({ ...lifeItem(hpcOne), waiting: true, due_at: '2999-01-01T00:00:00.000Z' }),
    },
  ])('leaves alone a job that $what', async ({ change }) => {
    await handler({ Records: [change] });
    expect(sentEntries()).toEqual([]);
  });

  it('fails where the bus does, so that the stream tells it again', async () => {
    bus.on(PutEventsCommand).rejects(new Error('away'));
    await expect(handler({ Records: [record(lifeItem(hpcOne))] })).rejects.toThrow(
      'The bus did not answer.',
    );
  });
});
