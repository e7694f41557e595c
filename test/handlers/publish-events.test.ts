import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/streams/publish-events.ts';
import type { SlipwayEvent } from '#lib/events/event.ts';
import {
  EventsNotPublishedError,
  openBus,
  publishEvents,
  writeEvent,
} from '#lib/events/publish-events.ts';
import { captureLog } from '../fixtures/captured-log.ts';
import { hpcOne, hpcTwo, jobBody, jobItem, quotaItem, user } from '../fixtures/samples.ts';
import { streamRecord, writtenAt } from '../fixtures/stream-records.ts';

const bus = mockClient(EventBridgeClient);

beforeEach(() => {
  bus.reset();
});

/** An answer that takes all but the entries with these positions. */
function answer(count: number, refused: readonly number[] = []) {
  return {
    FailedEntryCount: refused.length,
    Entries: Array.from({ length: count }, (_, index) =>
      refused.includes(index)
        ? { ErrorCode: 'ThrottlingException', ErrorMessage: 'slower' }
        : { EventId: `e${index}` },
    ),
  };
}

/** Runs the function shortly before its end, so it waits for nothing. */
function handle(Records: DynamoDBRecord[]) {
  return handler({ Records }, { getRemainingTimeInMillis: () => 15_000 });
}

/** What was sent, call by call: the ids of the events. */
function sentIds(): string[][] {
  return bus
    .commandCalls(PutEventsCommand)
    .map(({ args: [{ input }] }) =>
      (input.Entries ?? []).map(({ Detail }) => JSON.parse(Detail ?? '').id),
    );
}

describe('publish-events', () => {
  it('sends to its bus what happened to jobs and quotas, and nothing else', async () => {
    bus.on(PutEventsCommand).resolves(answer(1));
    await handle([
      streamRecord(quotaItem(hpcTwo), quotaItem(hpcTwo, { timeLeft: 17_000_000 })),
      streamRecord(undefined, jobItem(hpcTwo)),
      streamRecord(undefined, { PK: 'USER#1', SK: 'PROFILE', type: 'profile' }),
    ]);
    const calls = bus.commandCalls(PutEventsCommand).map(({ args: [{ input }] }) => input);
    const id = `${hpcTwo.jobId}-submitted`;
    expect(calls).toEqual([
      {
        Entries: [
          {
            EventBusName: 'slipway-test',
            Source: 'slipway',
            DetailType: 'job.submitted',
            Time: writtenAt,
            Detail: expect.any(String),
          },
        ],
      },
    ]);
    expect(JSON.parse(calls[0]?.Entries?.[0]?.Detail ?? '')).toEqual({
      id,
      type: 'job.submitted',
      owner: user,
      at: writtenAt.toISOString(),
      data: jobBody(hpcTwo),
    });
  });

  it('shows whole hours as floats, as the interface does', async () => {
    bus.on(PutEventsCommand).resolves(answer(1));
    await handle([streamRecord(undefined, jobItem(hpcOne))]);
    const [call] = bus.commandCalls(PutEventsCommand);
    expect(call?.args[0].input.Entries?.[0]?.Detail).toContain('"runtime":2.0,');
  });

  it('does not call the bus where nothing happened', async () => {
    const quota = quotaItem(hpcOne);
    await handle([streamRecord(quota, { ...quota, time_left: 17_000_000 })]);
    expect(bus.commandCalls(PutEventsCommand)).toEqual([]);
  });

  /** Of a job that was submitted, by its place in the stream. */
  function submitted(sequence: number): DynamoDBRecord {
    const { dynamodb, ...record } = streamRecord(undefined, jobItem(hpcOne));
    return { ...record, dynamodb: { ...dynamodb, SequenceNumber: String(sequence) } };
  }

  it('names nothing that failed where all has arrived', async () => {
    bus.on(PutEventsCommand).callsFake(({ Entries }) => answer(Entries.length));
    expect(await handle([submitted(1), submitted(2)])).toEqual({
      batchItemFailures: [],
    });
  });

  it('names the first change that did not arrive, so that the stream tells it again from there', async () => {
    const log = captureLog();
    bus
      .on(PutEventsCommand)
      .callsFakeOnce(({ Entries }) => answer(Entries.length))
      .rejects(new Error('away'));
    const Records = Array.from({ length: 25 }, (_, index) => submitted(index));
    expect(await handle(Records)).toEqual({ batchItemFailures: [{ itemIdentifier: '10' }] });
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'ERROR', message: 'events not published', error: { cause: { message: 'away' } } },
    ]);
  });

  it('takes a change that has no place in the stream for the whole batch', async () => {
    bus.on(PutEventsCommand).rejects(new Error('away'));
    const { dynamodb, ...record } = submitted(1);
    const { SequenceNumber: _, ...withoutPlace } = dynamodb ?? {};
    const Records = [{ ...record, dynamodb: withoutPlace }];
    expect(await handle(Records)).toEqual({ batchItemFailures: [{ itemIdentifier: '' }] });
  });

  it('puts aside a record that cannot be read, and tells of the others', async () => {
    const log = captureLog();
    bus.on(PutEventsCommand).callsFake(({ Entries }) => answer(Entries.length));
    const damaged = { ...jobItem(hpcTwo), title: 7, runtime: 'two hours' };
    const Records = [streamRecord(undefined, damaged), submitted(2)];
    expect(await handle(Records)).toEqual({ batchItemFailures: [] });
    expect(sentIds()).toEqual([[`${hpcOne.jobId}-submitted`]]);
    expect(log.join('')).toContain('"message":"damaged record"');
  });
});

/** A settlement as the ledger has it. */
function settled(jobId: string, change: object = {}) {
  return streamRecord(undefined, {
    PK: `LEDGER#${user}#hpc_one#proj_hpc_one_01`,
    SK: `2019-02-10T22:41:00.512Z#settle#${jobId}`,
    type: 'ledger-line',
    schema_version: 1,
    kind: 'settle',
    seconds: 720,
    kilobytes: 0,
    used: 2880,
    outcome: 'succeeded',
    waited: 12,
    ran: 1440,
    at: '2019-02-10T22:41:00.512Z',
    by: 'slipway',
    reason: 'SUCCESSFUL: 2880 of 3600 seconds used',
    job_id: jobId,
    ...change,
  });
}

describe('ends of jobs', () => {
  const entries = () =>
    bus.commandCalls(PutEventsCommand).flatMap(({ args: [{ input }] }) => input.Entries ?? []);

  it('are told together, with all that is counted of them, to those who count', async () => {
    bus.on(PutEventsCommand).callsFake(({ Entries }) => answer(Entries.length));
    const ended = { ...jobItem(hpcOne), stage: 'SUCCESSFUL', terminal: true };
    await handle([
      settled('A'),
      streamRecord(jobItem(hpcOne), ended),
      settled('B', { outcome: 'cancelled', used: 0, waited: undefined, ran: undefined }),
    ]);
    expect(entries().map(({ Source, DetailType }) => [Source, DetailType])).toEqual([
      ['slipway.ends', 'jobs.ended'],
      ['slipway', 'job.stage-changed'],
      ['slipway', 'job.ended'],
    ]);
    const account = { user, hpc: 'hpc_one', project: 'proj_hpc_one_01' };
    const at = '2019-02-10T22:41:00.512Z';
    const ran = { outcome: 'succeeded', waited: 12, ran: 1440 };
    expect(JSON.parse(entries()[0]?.Detail ?? '')).toEqual({
      ends: [
        { account, jobId: 'A', at, used: 2880, asked: 3600, ...ran },
        { account, jobId: 'B', at, used: 0, asked: 720, outcome: 'cancelled' },
      ],
    });
  });

  it('are told again from the first of them on where they did not arrive', async () => {
    captureLog();
    bus.on(PutEventsCommand).rejects(new Error('away'));
    const at = (sequence: number, { dynamodb, ...record }: DynamoDBRecord) => ({
      ...record,
      dynamodb: { ...dynamodb, SequenceNumber: String(sequence) },
    });
    const quiet = quotaItem(hpcOne);
    const Records = [at(1, streamRecord(quiet, quiet)), at(2, settled('A')), at(3, settled('B'))];
    expect(await handle(Records)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  });

  it('are left to the rebuilding where a line is older than what is counted', async () => {
    await handle([settled('A', { outcome: undefined })]);
    expect(entries()).toEqual([]);
  });
});

describe('publishing', () => {
  const events = (count: number): SlipwayEvent[] =>
    Array.from({ length: count }, (_, n) => ({
      id: `${n}`,
      type: 'job.ended',
      owner: user,
      at: writtenAt,
      data: {},
    }));
  const pauses: number[] = [];
  const to = openBus('slipway');
  const publish = (count: number, waitMs = 0) => {
    const entries = events(count).map((event) => writeEvent(to, event));
    return publishEvents(to, entries, { waitMs, pause: async (ms) => pauses.push(ms) });
  };
  beforeEach(() => {
    pauses.length = 0;
  });

  it('sends ten at a time', async () => {
    bus.on(PutEventsCommand).callsFake(({ Entries }) => answer(Entries.length));
    await publish(23);
    expect(sentIds().map((ids) => ids.length)).toEqual([10, 10, 3]);
    expect(sentIds().flat()).toEqual(events(23).map(({ id }) => id));
    expect(pauses).toEqual([]);
  });

  it('sends again what was refused, and nothing else', async () => {
    bus
      .on(PutEventsCommand)
      .resolvesOnce(answer(4, [1, 3]))
      .resolvesOnce(answer(2, [0]))
      .resolvesOnce(answer(1));
    await publish(4);
    expect(sentIds()).toEqual([['0', '1', '2', '3'], ['1', '3'], ['1']]);
    expect(pauses).toEqual([100, 200]);
  });

  it('fails where some are still refused after the third time, and says how', async () => {
    bus.on(PutEventsCommand).callsFake(({ Entries }) => answer(Entries.length, [0]));
    const failure = publish(2);
    await expect(failure).rejects.toThrow(EventsNotPublishedError);
    await expect(failure).rejects.toMatchObject({ firstMissing: 0 });
    await expect(failure).rejects.toThrow('The bus refused 1 events: ThrottlingException');
    expect(sentIds()).toEqual([['0', '1'], ['0'], ['0']]);
    const codes = ['InternalFailure', undefined, 'ThrottlingException', 'InternalFailure'];
    bus.on(PutEventsCommand).resolves({ Entries: codes.map((ErrorCode) => ({ ErrorCode })) });
    await expect(publish(4)).rejects.toThrow(
      'The bus refused 4 events: InternalFailure, ThrottlingException',
    );
  });

  it.each([
    { what: 'refuses', answerLast: () => answer(5, [3]), firstMissing: 13 },
    { what: 'is away for', answerLast: () => Promise.reject(new Error('away')), firstMissing: 10 },
  ])('says what is the first that the bus $what', async ({ answerLast, firstMissing }) => {
    bus
      .on(PutEventsCommand)
      .callsFakeOnce(({ Entries }) => answer(Entries.length))
      .callsFakeOnce(answerLast)
      .callsFake(() => answer(1, [0]));
    await expect(publish(15)).rejects.toMatchObject({ firstMissing });
  });

  it('waits for a bus that is away, and no longer than it may', async () => {
    bus.on(PutEventsCommand).rejects(new Error('away'));
    await expect(publish(1, 20_000)).rejects.toThrow('The bus did not answer.');
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...pauses)).toBe(5_000);
    expect(pauses.slice(0, -1).reduce((sum, ms) => sum + ms, 0)).toBeLessThan(20_000);
  });

  it('goes on as soon as it is back', async () => {
    bus
      .on(PutEventsCommand)
      .rejectsOnce(new Error('away'))
      .resolvesOnce({ Entries: [{ ErrorCode: 'InternalFailure' }] })
      .resolves(answer(1));
    await publish(1, 20_000);
    expect(pauses).toEqual([100, 200]);
  });

  it.each([
    ['event', () => ({ Entries: [{ ErrorCode: 'MalformedDetail' }] }), 3],
    [
      'call',
      () =>
        Promise.reject(
          Object.assign(new Error('too large'), { $fault: 'client', name: 'Validation' }),
        ),
      1,
    ],
  ])('does not wait where the bus refuses the %s itself', async (_, refuse, calls) => {
    bus.on(PutEventsCommand).callsFake(refuse);
    await expect(publish(1, 20_000)).rejects.toThrow(EventsNotPublishedError);
    expect(sentIds()).toHaveLength(calls);
  });

  it('takes what was given no id for not sent', async () => {
    bus.on(PutEventsCommand).resolvesOnce({ Entries: [] }).resolvesOnce(answer(1));
    await publish(1);
    expect(sentIds()).toEqual([['0'], ['0']]);
  });
});
