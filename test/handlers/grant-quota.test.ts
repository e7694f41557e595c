import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/admin/grant-quota.ts';
import { asAdministrator, call } from '../fixtures/call.ts';
import { profileItem } from '../fixtures/profiles.ts';
import {
  answer,
  invalidRequest,
  problem,
  quotaNotFound,
  readResponse,
} from '../fixtures/responses.ts';
import {
  administrator,
  hpcOne,
  quotaBody,
  quotaItem,
  secondProject,
  user,
} from '../fixtures/samples.ts';
import { canceled, conditionFailed, mockTable, passed, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();
const now = new Date('2026-11-15T08:30:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  table.reset();
  table.on(GetCommand).resolves({});
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(UpdateCommand).resolves({ Attributes: { value: 7 } });
  table.on(TransactWriteCommand).resolves({});
});
afterEach(() => vi.useRealTimers());

const pathOf = ({ hpc, project }: typeof hpcOne) => `/admin/quotas/${user}/${hpc}/${project}/`;

function put(body: unknown, { path = pathOf(hpcOne), query = '' } = {}) {
  const headers = { ...asAdministrator(), 'content-type': 'application/json' };
  const bytes = Buffer.from(JSON.stringify(body));
  return call(handler, { method: 'PUT', path, query, headers, body: bytes });
}

/** The items of the last transaction, without the table's name and the act's own id. */
function lastTransaction(): Record<string, unknown>[] {
  const { TransactItems = [] } =
    table.commandCalls(TransactWriteCommand).at(-1)?.args[0].input ?? {};
  return TransactItems.map((item) => Object(item));
}

const storedAs = (changes: Record<string, unknown> = {}) => ({
  Item: { ...quotaItem(hpcOne), ...changes },
});

describe('PUT /admin/quotas/{user_id}/{hpc}/{project_name}/', () => {
  it('changes grant and rest alike, with a ledger line and an audit line, in one transaction', async () => {
    table
      .on(GetCommand)
      .resolvesOnce(storedAs())
      .resolvesOnce(storedAs())
      .resolves(storedAs({ time_granted: 18_000_100, time_left: 18_000_100 }));
    const response = await put({ reason: ' a course ', add: { time: 100 } });
    expect(readResponse(response)).toEqual(
      answer(200, {
        ...quotaBody(hpcOne, { timeLeft: 18_000_100 }),
        usage: {
          time: { granted: 18_000_100, left: 18_000_100, held: 0, used: 0 },
          space: { granted: 10_000_000, left: 10_000_000, held: 0, used: 0 },
          living_jobs: 0,
          valid_until: null,
          renews: null,
          banned: null,
        },
      }),
    );
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(1);
    const place = { hpc: 'hpc_one', project_name: 'proj_hpc_one_01' };
    const told = { at: now.toISOString(), by: administrator, reason: 'a course' };
    const actId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(lastTransaction()).toEqual([
      {
        Update: {
          TableName: tableName,
          Key: { PK: `USER#${user}`, SK: 'QUOTA#hpc_one#proj_hpc_one_01' },
          UpdateExpression:
            'ADD #time_granted :added_time_granted, #time_left :added_time_left, ' +
            '#space_granted :added_space_granted, #space_left :added_space_left',
          ConditionExpression: expect.any(String),
          ExpressionAttributeNames: expect.any(Object),
          ExpressionAttributeValues: {
            ':seen_id': 1,
            ':added_time_granted': 100,
            ':added_time_left': 100,
            ':added_space_granted': 0,
            ':added_space_left': 0,
            ':seen_time_granted': 18_000_000,
            ':seen_space_granted': 10_000_000,
            ':least_time': 0,
            ':least_space': 0,
          },
        },
      },
      {
        Put: {
          TableName: tableName,
          Item: {
            PK: `LEDGER#${user}#hpc_one#proj_hpc_one_01`,
            SK: expect.stringMatching(/^2026-11-15T08:30:00\.000Z#grant#[0-9a-f-]{36}$/),
            type: 'ledger-line',
            schema_version: 1,
            kind: 'grant',
            seconds: 100,
            kilobytes: 0,
            ...told,
            act_id: actId,
          },
          ConditionExpression: expect.any(String),
        },
      },
      {
        Put: {
          TableName: tableName,
          Item: {
            PK: 'AUDIT#2026-11',
            SK: expect.stringMatching(/^2026-11-15T08:30:00\.000Z#[0-9a-f-]{36}$/),
            type: 'act',
            schema_version: 1,
            act_id: actId,
            kind: 'quota-granted',
            ...told,
            user,
            ...place,
            details: {
              time: { before: 18_000_000, after: 18_000_100 },
              space: { before: 10_000_000, after: 10_000_000 },
              valid_until: { before: null, after: null },
            },
          },
          ConditionExpression: expect.any(String),
        },
      },
    ]);
  });

  it('answers 201 with Location to what was not there, for a user who was never seen', async () => {
    const path = pathOf(secondProject);
    const quota = { ...quotaItem(secondProject, { timeLeft: 60 }), time_granted: 60, time_held: 0 };
    const profile = profileItem({ banned: 'a loop' });
    table
      .on(GetCommand, { Key: { PK: `USER#${user}`, SK: 'QUOTA#hpc_two#proj_hpc_two_02' } })
      .resolvesOnce({})
      .resolvesOnce({})
      .resolves({ Item: quota });
    table
      .on(GetCommand, { Key: { PK: `USER#${user}`, SK: 'PROFILE' } })
      .resolvesOnce({})
      .resolves({ Item: profile });
    const validUntil = '2026-12-01T00:00:00Z';
    const body = { reason: 'a course', set: { time: 60 }, valid_until: validUntil };
    const response = await put(body, { path });
    expect(response.statusCode).toBe(201);
    expect(response.headers?.location).toBe(`https://slipway.test${path}`);
    const [welcome, opening] = table.commandCalls(TransactWriteCommand);
    expect(welcome?.args[0].input.TransactItems).toHaveLength(5);
    expect(opening?.args[0].input.TransactItems?.[1]?.Put?.Item).toMatchObject({
      SK: 'QUOTA#hpc_two#proj_hpc_two_02',
      id: 7,
      time_granted: 60,
      time_left: 60,
      space_granted: 0,
      valid_until: '2026-12-01T00:00:00.000Z',
      due: 'DUE#EXPIRY#3',
      due_at: '2026-11-24T00:00:00.000Z',
      banned_everywhere: 'a loop',
    });
    expect(opening?.args[0].input.TransactItems).toHaveLength(4);
  });

  it('writes nothing where nothing changes', async () => {
    table.on(GetCommand).resolves(storedAs({ valid_until: '2027-01-01T00:00:00.000Z' }));
    for (const body of [
      { set: { time: 18_000_000 } },
      { add: { time: 0, space: -0 } },
      { valid_until: '2027-01-01T01:00:00+01:00' },
      { set: { space: 10_000_000 }, valid_until: '2027-01-01T00:00:00Z' },
    ]) {
      expect((await put({ reason: 'a course', ...body })).statusCode).toBe(200);
    }
    expect(table.commandCalls(TransactWriteCommand)).toEqual([]);
  });

  it.each([
    {
      body: { valid_until: '2026-12-01T00:00:00Z' },
      values: {
        ':seen_valid_until': '2027-01-01T00:00:00.000Z',
        ':valid_until': '2026-12-01T00:00:00.000Z',
        ':due': 'DUE#EXPIRY#1',
        ':due_at': '2026-11-24T00:00:00.000Z',
      },
    },
    {
      body: { valid_until: null },
      values: { ':seen_valid_until': '2027-01-01T00:00:00.000Z' },
    },
  ])('sets the end, its next moment and no ledger line: $body', async ({ body, values }) => {
    table.on(GetCommand).resolves(storedAs({ valid_until: '2027-01-01T00:00:00.000Z' }));
    expect((await put({ reason: 'a course', ...body })).statusCode).toBe(200);
    const [change, ...others] = lastTransaction();
    expect(Object(change).Update.ExpressionAttributeValues).toMatchObject(values);
    expect(others.map((item) => Object(item).Put.Item.kind)).toEqual(['quota-corrected']);
  });

  it('sets how a quota renews, and says so in the audit', async () => {
    const rule = {
      every: 'quarterly',
      on: 1,
      month: 2,
      to: { seconds: 3600, kilobytes: 10 },
      carry_over: { seconds: 60, kilobytes: 0 },
    };
    const next = '2027-02-01T00:00:00.000Z';
    table
      .on(GetCommand)
      .resolvesOnce(storedAs())
      .resolvesOnce(storedAs())
      .resolves(storedAs({ renews: rule, renews_next: next }));
    const renews = {
      every: 'quarterly',
      on: 1,
      month: 2,
      to: { time: 3600, space: 10 },
      carry_over: { time: 60, space: 0 },
    };
    const response = await put({ reason: 'a course', renews });
    expect(readResponse(response).body).toMatchObject({
      usage: { renews: { ...renews, next: '2027-02-01T00:00:00Z' } },
    });
    const [change, act, ...others] = lastTransaction();
    expect(Object(change).Update).toMatchObject({
      UpdateExpression: expect.stringMatching(/^SET .*#renews = :renews/),
      ExpressionAttributeValues: {
        ':added_time_granted': 0,
        ':renews': rule,
        ':renews_next': next,
        ':due': 'DUE#EXPIRY#1',
        ':due_at': '2027-01-25T00:00:00.000Z',
      },
    });
    expect(Object(act).Put.Item).toMatchObject({
      kind: 'quota-corrected',
      details: {
        renews: {
          before: null,
          after:
            'quarterly from month 2 on day 1 to 3600 seconds and 10 kilobytes, ' +
            'carrying over up to 60 seconds and 0 kilobytes',
        },
        renews_every: { before: null, after: 'quarterly' },
        renews_on: { before: null, after: 1 },
        renews_month: { before: null, after: 2 },
        renews_time: { before: null, after: 3600 },
        renews_space: { before: null, after: 10 },
        carries_over_time: { before: null, after: 60 },
        carries_over_space: { before: null, after: 0 },
      },
    });
    expect(others).toEqual([]);
    // The same once more changes nothing.
    await put({ reason: 'a course', renews });
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(1);
  });

  it('decides anew where the account changed in between, and answers 409 where too little is left', async () => {
    table
      .on(GetCommand)
      .resolvesOnce(storedAs())
      .resolvesOnce(storedAs())
      .resolves(storedAs({ time_left: 99, time_held: 17_999_901, living_jobs: 3 }));
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed, passed]));
    const response = await put({ reason: 'a course', add: { time: -100 } });
    expect(readResponse(response)).toEqual(
      problem({
        status: 409,
        slug: 'quota-in-use',
        title: 'The quota is in use',
        detail:
          "The quota of 'proj_hpc_one_01' on 'hpc_one' cannot be set below 17999901 seconds and 0 " +
          'kilobytes, because jobs have used or hold that much. Set at least that, or wait ' +
          'until jobs end and are deleted.',
        members: {
          project_hpc: 'HPC_ONE',
          project_name: 'proj_hpc_one_01',
          charging: 'node',
          time: { granted: 18_000_000, left: 99, held: 17_999_901, used: 0 },
          space: { granted: 10_000_000, left: 10_000_000, held: 0, used: 0 },
          living_jobs: 3,
          lowest: { time: 17_999_901, space: 0 },
        },
      }),
    );
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(1);
  });

  it('answers 503 where others keep changing the account', async () => {
    table.on(GetCommand).resolves(storedAs());
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed, passed]));
    const response = await put({ reason: 'a course', add: { time: 1 } });
    expect(response.statusCode).toBe(503);
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(50);
  });

  it('answers 409 to more than sums can hold', async () => {
    table.on(GetCommand).resolves(storedAs());
    const response = await put({ reason: 'a course', add: { time: 1_000_000_000_000_000 } });
    expect(readResponse(response).body).toMatchObject({
      type: 'urn:slipway:problem:grant-too-large',
      status: 409,
    });
  });

  it('answers 404 to an end or a renewal alone where there is no quota, and makes nothing', async () => {
    for (const body of [{ valid_until: null }, { renews: null }]) {
      const response = await put({ reason: 'a course', ...body });
      expect(readResponse(response)).toEqual(quotaNotFound('hpc_one', 'proj_hpc_one_01'));
    }
    expect(table.commandCalls(TransactWriteCommand)).toEqual([]);
  });

  it('answers 400 to a query, and asks nothing of the table', async () => {
    const response = await put({ reason: 'a course', add: { time: 1 } }, { query: 'reason=x' });
    expect(readResponse(response)).toEqual(
      invalidRequest([
        { location: 'query', name: 'reason', message: 'This path takes no parameters.' },
      ]),
    );
    expect(table.calls()).toEqual([]);
  });
});
