import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/streams/dispatch-jobs.ts';
import { parseDueBatches } from '#lib/events/due-batches-event.ts';
import { parseDueJobs } from '#lib/events/due-jobs-event.ts';
import { parseWaitingJobs } from '#lib/events/waiting-jobs-event.ts';
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

  it('tells of batches that can be brought further, each once', async () => {
    const due = batchItem();
    await handler({ Records: [record(due), record(due), record({ ...due, type: 'other' })] });
    const { PK, SK } = due;
    const [entry, ...others] = sentEntries();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      EventBusName: 'slipway-test',
      Source: 'slipway.batches',
      DetailType: 'batches.due',
    });
    const detail = JSON.parse(entry?.Detail ?? '');
    expect(detail).toEqual({ due: [{ PK, SK }] });
    expect(parseDueBatches({ detail })).toEqual(detail.due);
    expect(() => parseDueBatches({ detail: { due: [{ PK }] } })).toThrow('SK');
  });

  it('divides what is too much for one entry', async () => {
    const numbers = Array.from({ length: 501 }, (_, number) => number);
    const named = (number: number) => jobId(`J${String(number).padStart(31, '0')}`);
    await handler({
      Records: numbers.flatMap((number) => {
        const life = lifeItem(hpcOne, { jobId: named(number) });
        const ended = { ...jobItem(hpcOne), job_id: named(number), awaited: true, terminal: true };
        const batch = { ...batchItem(), SK: `BATCH#${number}` };
        return [life, { ...life, waiting: true }, ended, ...(number < 101 ? [batch] : [])].map(
          record,
        );
      }),
    });
    const details = sentEntries().map(({ Detail = '' }) => JSON.parse(Detail));
    const sizes = details.map(({ due = [], ended = [], waiting = [] }) =>
      [due, ended, waiting].map(({ length }) => length),
    );
    expect(sizes).toEqual([
      [500, 0, 0],
      [1, 0, 0],
      [0, 500, 0],
      [0, 1, 0],
      [0, 0, 500],
      [0, 0, 1],
      [100, 0, 0],
      [1, 0, 0],
    ]);
    const [jobs, , ends] = details;
    expect(parseDueJobs({ detail: jobs })).toEqual(jobs);
    expect(parseWaitingJobs({ detail: ends })).toEqual(ends);
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
