import { expect, it } from 'vitest';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import { readOrSkip } from '#lib/telemetry/read-or-skip.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';
import { hpcOne, jobItem } from '#test/fixtures/samples.ts';
import { streamRecord } from '#test/fixtures/stream-records.ts';

const item = { ...jobItem(hpcOne), title: 'a secret title' };
const record = streamRecord(undefined, item, 'event-1');

it('gives what is read of a record, and says nothing', () => {
  const log = captureLog();
  expect(readOrSkip(record, ({ eventID }) => [eventID])).toEqual(['event-1']);
  expect(log).toEqual([]);
});

it.each([
  { error: new DamagedItemError(['title']), reason: /expected shape: title$/ },
  { error: new TypeError(`not so: ${item.title}`), reason: /^TypeError$/ },
  { error: item.title, reason: /^unknown$/ },
])('puts aside what cannot be read ($reason), by what it is found by', ({ error, reason }) => {
  const log = captureLog();
  const fail = () => {
    throw error;
  };
  expect(readOrSkip(record, fail)).toEqual([]);
  const lines = log.map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    {
      level: 'ERROR',
      message: 'damaged record',
      sequenceNumber: record.dynamodb?.SequenceNumber,
      eventId: 'event-1',
      change: 'INSERT',
      itemType: 'job',
      reason: expect.stringMatching(reason),
    },
    { DamagedRecords: 1 },
  ]);
  expect(log.join('')).not.toContain(item.title);
  expect(log.join('')).not.toContain(hpcOne.jobId);
});
