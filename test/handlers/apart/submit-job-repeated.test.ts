import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/jobs/submit-job.ts';
import { call } from '#test/fixtures/call.ts';
import { answer, problem, readResponse } from '#test/fixtures/responses.ts';
import { describedJob, hpcOne, jobBody, systemSamples, user } from '#test/fixtures/samples.ts';
import { mockStorage } from '#test/fixtures/storage-mock.ts';
import { submission } from '#test/fixtures/submissions.ts';
import {
  canceled,
  conditionFailed,
  conflict,
  mockTable,
  passed,
  tableName,
} from '#test/fixtures/table-mock.ts';

/** Waiting without time: each pause of a retry lets one second pass on the clock, at once. */
const clock = vi.hoisted(() => {
  const realNow = Date.now;
  const state = { ahead: 0, pauses: 0 };
  Date.now = () => realNow() + state.ahead;
  return state;
});
vi.mock('node:timers/promises', () => ({
  setTimeout: async () => {
    clock.pauses += 1;
    clock.ahead += 1000;
  },
}));

const table = mockTable();
const storage = mockStorage();
const key = 'a-key-of-the-client';
const repeated = { headers: { 'idempotency-key': key } };

beforeEach(() => {
  clock.ahead = 0;
  clock.pauses = 0;
  table.reset();
  storage.reset();
  table.on(UpdateCommand).resolves({ Attributes: { value: 80 } });
  table.on(TransactWriteCommand).resolves({});
});

function transactions() {
  return table.commandCalls(TransactWriteCommand).map(({ args: [{ input }] }) => input);
}

/** The fingerprint that the service wrote beside the key of its last transaction. */
function writtenFingerprint(): string {
  return transactions().at(-1)?.TransactItems?.[0]?.Put?.Item?.fingerprint;
}

describe.each(systemSamples)('POST /jobs/{hpc}/ with an Idempotency-Key on $hpc', (sample) => {
  it('writes the key in the transaction of the job, for 24 hours', async () => {
    const response = await call(handler, submission(sample, repeated));
    const job = JSON.parse(response.body ?? '');
    const startedAt = Date.parse(job.init_date) / 1000;
    expect(transactions()).toHaveLength(1);
    expect(transactions()[0]?.TransactItems).toHaveLength(6);
    expect(transactions()[0]?.TransactItems?.[0]).toMatchObject({
      Put: {
        TableName: tableName,
        Item: {
          PK: `USER#${user}`,
          SK: `IDEMPOTENCY#${key}`,
          type: 'idempotency-key',
          schema_version: 1,
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
          answer: {
            ...describedJob(sample, { jobId: job.job_id }),
            init_date: new Date(startedAt * 1000).toISOString(),
          },
          expires_at: startedAt + 86_400,
        },
      },
    });
  });

  it('answers the stored 201 to the same request again', async () => {
    await call(handler, submission(sample, repeated));
    const stored = {
      type: 'idempotency-key',
      schema_version: 1,
      fingerprint: writtenFingerprint(),
      answer: describedJob(sample, { id: 12 }),
      expires_at: 2_000_000_000,
    };
    const reasons = [conditionFailed(stored), conditionFailed(), passed, passed, passed];
    table.on(TransactWriteCommand).rejects(canceled(reasons));
    const response = await call(handler, submission(sample, repeated));
    expect(readResponse(response)).toEqual(
      answer(201, jobBody(sample, { id: 12 }), {
        'idempotency-replayed': 'true',
        location: `https://slipway.test/jobs/${sample.hpc}/${sample.project}/${sample.jobId}/`,
      }),
    );
    expect(storage.calls.map((line) => line.split(' ')[0])).toEqual(['PUT', 'PUT', 'DELETE']);
    expect(storage.objects.size).toBe(1);
  });

  it('answers 422 to another request with the same key', async () => {
    await call(handler, submission(sample, repeated));
    const stored = {
      type: 'idempotency-key',
      schema_version: 1,
      fingerprint: writtenFingerprint(),
      answer: describedJob(sample),
      expires_at: 2_000_000_000,
    };
    const reasons = [conditionFailed(stored), passed, passed, passed, passed];
    table.on(TransactWriteCommand).rejects(canceled(reasons));
    const payload = { ...sample.payload, title: 'another title' };
    const response = await call(handler, submission(sample, { ...repeated, payload }));
    expect(readResponse(response)).toEqual(
      problem({
        status: 422,
        slug: 'idempotency-key-reused',
        title: 'The key belongs to another request',
        detail:
          'This Idempotency-Key was used for a different request. Use a new key for each request.',
      }),
    );
  });

  it('answers 409 while the first request with the key still runs', async () => {
    const reasons = [conflict, passed, passed, passed, passed];
    table.on(TransactWriteCommand).rejects(canceled(reasons));
    const response = await call(handler, submission(sample, repeated));
    expect(readResponse(response)).toEqual(
      problem({
        status: 409,
        slug: 'idempotency-key-in-use',
        title: 'The first request is still running',
        detail:
          'The first request with this Idempotency-Key is still running. Try again in a moment.',
        headers: { 'retry-after': '1' },
      }),
    );
    expect(clock.pauses).toBe(8);
  });

  it('tries again where another transaction was in the way, with the same job', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled([conflict, passed, passed, passed]))
      .rejectsOnce(canceled([passed, conflict, passed, passed]))
      .resolves({});
    const response = await call(handler, submission(sample));
    expect(response.statusCode).toBe(201);
    const [first, second, third, ...others] = transactions();
    expect([second, third]).toEqual([first, first]);
    expect(others).toEqual([]);
    expect(table.commandCalls(UpdateCommand)).toHaveLength(1);
    expect(clock.pauses).toBe(2);
  });

  it.each([
    { what: 'without a key', changes: {}, reasons: [conflict, passed, passed, passed] },
    { what: 'with a key', changes: repeated, reasons: [passed, conflict, passed, passed, passed] },
  ])('answers 503 where others write the same account for too long, $what', async (busy) => {
    table.on(TransactWriteCommand).rejects(canceled(busy.reasons));
    const response = await call(handler, submission(sample, busy.changes));
    expect(readResponse(response)).toEqual(
      problem({
        status: 503,
        slug: 'busy',
        title: 'Too many changes at once',
        detail: 'Too many changes to the same account at once. Try again in a moment.',
        headers: { 'retry-after': '1' },
      }),
    );
  });
});

describe('POST /jobs/{hpc}/ without an Idempotency-Key', () => {
  it('writes none', async () => {
    await call(handler, submission(hpcOne));
    expect(transactions()[0]?.TransactItems).toHaveLength(5);
    expect(JSON.stringify(transactions())).not.toContain('IDEMPOTENCY#');
  });
});
