import type { DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { type StreamFilter, streams } from '#functions/streams.ts';
import { matchesFilter } from '#local/stream/matches-filter.ts';
import { createStreamSource } from '#local/stream/stream-source.ts';
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

describe('the source of the stream', () => {
  function createReader(filters: readonly StreamFilter[]) {
    const batches: DynamoDBStreamEvent[] = [];
    const handler = async (event: DynamoDBStreamEvent) => batches.push(event);
    return { name: 'reader', filters, handler, batches };
  }

  it('tells each reader of what fits one of its filters, once, in order', async () => {
    const jobs = createReader([
      { eventName: ['MODIFY'], itemType: 'job' },
      { eventName: ['INSERT', 'MODIFY'], itemType: 'job' },
    ]);
    const quotas = createReader([{ eventName: ['MODIFY'], itemType: 'quota' }]);
    const source = createStreamSource([jobs, quotas]);
    source.take([inserted, streamRecord(undefined, quota), modified]);
    source.take([removed]);
    await source.drain();
    expect(jobs.batches).toEqual([{ Records: [inserted, modified] }]);
    expect(quotas.batches).toEqual([]);
  });

  it('makes batches of a hundred', async () => {
    const reader = createReader([{ eventName: ['INSERT'], itemType: 'job' }]);
    const source = createStreamSource([reader]);
    const records = Array.from({ length: 250 }, (_, n) => streamRecord(undefined, job, String(n)));
    for (const record of records) source.take([record]);
    await source.drain();
    expect(reader.batches.map(({ Records }) => Records.length)).toEqual([100, 100, 50]);
    expect(reader.batches.flatMap(({ Records }) => Records)).toEqual(records);
  });
});
