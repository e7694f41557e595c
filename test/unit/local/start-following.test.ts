import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StreamFilter, streams } from '#functions/streams.ts';
import { describeTable } from '#local/create-table.ts';
import { operations } from '#local/dynamodb/dispatch/run-operation.ts';
import { openEngine } from '#local/dynamodb/embedded-dynamodb.ts';
import { drainAll } from '#local/stream/delivery-queue.ts';
import { matchesFilter, startFollowing } from '#local/stream/follow-stream.ts';
import { hpcOne, jobItem, quotaItem } from '#test/fixtures/samples.ts';
import { streamRecord } from '#test/fixtures/stream-records.ts';

const job = jobItem(hpcOne);
const quota = quotaItem(hpcOne);
const inserted = streamRecord(undefined, job);
const modified = streamRecord(job, { ...job, stage: 'RUNNING' });
const removed = streamRecord(job, undefined);

describe('a filter of the stream', () => {
  const filter: StreamFilter = { eventName: ['INSERT'], itemType: 'job' };

  it('lets pass what has its name and its type', () => {
    expect(matchesFilter(inserted, filter)).toBe(true);
    expect(matchesFilter(modified, { ...filter, eventName: ['INSERT', 'MODIFY'] })).toBe(true);
  });

  it.each([
    { name: 'another change', record: modified },
    { name: 'a removal', record: removed },
    { name: 'another type', record: streamRecord(undefined, quota) },
    { name: 'no type', record: streamRecord(undefined, { PK: 'USER#1', SK: 'X' }) },
    { name: 'a record without images', record: { eventName: 'INSERT' as const } },
  ])('keeps back $name', ({ record }) => {
    expect(matchesFilter(record, filter)).toBe(false);
  });

  it('with a flag lets pass only what has it', () => {
    const flagged: StreamFilter = { ...filter, flag: 'cancel_pending' };
    const passes = [true, false, undefined].map((cancel) =>
      matchesFilter(
        streamRecord(undefined, {
          ...job,
          ...(cancel !== undefined && { cancel_pending: cancel }),
        }),
        flagged,
      ),
    );
    expect(passes).toEqual([true, false, false]);
  });

  it('of publish-events is met by all that can be an event', () => {
    const { filters } = streams['publish-events'];
    const passes = [inserted, modified, streamRecord(quota, { ...quota, time_left: 0 })].map(
      (record) => filters.some((each) => matchesFilter(record, each)),
    );
    expect(passes).toEqual([true, true, true]);
  });
});

const TableName = 'slipway';
const allJobs: StreamFilter = { eventName: ['INSERT', 'MODIFY'], itemType: 'job' };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-stream-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A table with a stream, on disk: a second one with the same folder is the same one later. */
function openStream() {
  const engine = openEngine({ path: directory, wanted: () => true });
  const { stream } = engine;
  if (!stream) throw new Error('There is no stream.');
  if (!engine.tables.find(TableName))
    operations.get('CreateTable')?.(engine, describeTable(TableName));
  return {
    stream,
    put: (...items: object[]) => {
      for (const item of items) {
        operations.get('PutItem')?.(engine, { TableName, Item: marshall(item) });
      }
    },
    kept: () => stream.read(0, 1000).length,
    close: () => engine.database.close(),
  };
}

function createReader(filters: readonly StreamFilter[], name = 'reader') {
  const batches: DynamoDBStreamEvent[] = [];
  const handler = async (event: DynamoDBStreamEvent) => batches.push(event);
  const told = () =>
    batches.flatMap(({ Records }) =>
      Records.map(({ eventName, dynamodb }) => `${eventName} ${dynamodb?.NewImage?.stage?.S}`),
    );
  return { name, filters, handler, batches, told };
}

const running = { ...job, stage: 'RUNNING' };

describe('the readers of the stream', () => {
  it('are each told of what fits one of their filters, once, in order', async () => {
    const { stream, put, close } = openStream();
    const jobs = createReader([{ eventName: ['MODIFY'], itemType: 'job' }, allJobs], 'jobs');
    const quotas = createReader([{ eventName: ['MODIFY'], itemType: 'quota' }], 'quotas');
    const followers = startFollowing(stream, [jobs, quotas]);
    put(job, quota, running);
    await drainAll(followers);
    expect(jobs.told()).toEqual([`INSERT ${job.stage}`, 'MODIFY RUNNING']);
    expect(jobs.batches).toHaveLength(1);
    expect(quotas.batches).toEqual([]);
    close();
  });

  it('get batches of a hundred', async () => {
    const { stream, put, kept, close } = openStream();
    const reader = createReader([allJobs]);
    put(...Array.from({ length: 250 }, (_, n) => ({ ...job, stage: String(n) })));
    expect(kept()).toBe(250);
    await drainAll(startFollowing(stream, [reader]));
    expect(reader.batches.map(({ Records }) => Records.length)).toEqual([100, 100, 50]);
    expect(reader.told().slice(1)).toEqual(
      Array.from({ length: 249 }, (_, n) => `MODIFY ${n + 1}`),
    );
    close();
  });

  it('are told again after a kill of what had not been done, and of nothing else', async () => {
    const before = openStream();
    let isDone = Promise.resolve();
    const first = createReader([allJobs]);
    startFollowing(before.stream, [first], () => isDone);
    before.put(job);
    await expect.poll(() => before.kept(), { interval: 5 }).toBe(0);
    isDone = new Promise(() => undefined);
    before.put(running);
    await expect.poll(() => first.told(), { interval: 5 }).toHaveLength(2);
    before.close();

    const after = openStream();
    const second = createReader([allJobs]);
    await drainAll(startFollowing(after.stream, [second]));
    expect(second.told()).toEqual(['MODIFY RUNNING']);
    expect(after.kept()).toBe(0);
    after.close();
  });

  it('are told again from the first change on that they name', async () => {
    const { stream, put, kept, close } = openStream();
    const reader = createReader([allJobs]);
    const failures = [['place of QUEUED-2'], ['nobody knows it'], [], []];
    const handler = async (event: DynamoDBStreamEvent) => {
      await reader.handler(event);
      const named = failures.shift() ?? [];
      const places = event.Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
      return {
        batchItemFailures: named.map((name) => ({
          itemIdentifier: name === 'nobody knows it' ? name : places[1],
        })),
      };
    };
    const stages = ['QUEUED-1', 'QUEUED-2', 'QUEUED-3'];
    put(...stages.map((stage) => ({ ...job, stage })));
    await drainAll(startFollowing(stream, [{ ...reader, handler }]));
    const told = reader.batches.map(({ Records }) =>
      Records.map(({ dynamodb }) => dynamodb?.NewImage?.stage?.S),
    );
    expect(told).toEqual([stages, stages.slice(1), stages.slice(1)]);
    expect(kept()).toBe(0);
    close();
  });

  it('go on without one that is no longer there, which keeps nothing for itself', async () => {
    const before = openStream();
    before.stream.setReaders(['reader', 'gone']);
    before.put(job, running);
    await before.stream.moveTo('reader', Number.MAX_SAFE_INTEGER);
    expect(before.kept()).toBe(2);
    before.stream.setReaders(['reader']);
    expect(before.kept()).toBe(0);
    before.close();
  });

  it('do not keep a stop waiting for what never ends', async () => {
    const { stream, put, kept, close } = openStream();
    const followers = startFollowing(
      stream,
      [createReader([allJobs])],
      () => new Promise(() => undefined),
    );
    put(job);
    await drainAll(followers, 20);
    expect(kept()).toBe(1);
    close();
  });
});
