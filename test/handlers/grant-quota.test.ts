import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/grant-quota.ts';
import { asAdministrator, ask } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { answer, invalidPart, quotaNotFound, refusal } from '../fixtures/responses.ts';
import {
  administrator,
  hpcOne,
  quotaBody,
  quotaItem,
  secondProject,
  unusedBody,
  user,
} from '../fixtures/samples.ts';
import { canceled, conditionFailed, passed, sentTransactions } from '../fixtures/table-mock.ts';

const table = useTable();
const now = '2026-11-15T08:30:00.000Z';
holdClock(now);

const pathOf = ({ hpc, project }: typeof hpcOne) => `/admin/quotas/${user}/${hpc}/${project}/`;
const path = pathOf(hpcOne);
const stored = quotaItem(hpcOne);
const reason = 'a course';

const put = (body: object, to: { path?: string; query?: string } = {}) =>
  ask(handler, { method: 'PUT', path, ...to, headers: asAdministrator() }, { reason, ...body });

const ledger = () => table.list('LEDGER#');
const acts = () => table.list('AUDIT#');

describe('PUT /admin/quotas/{user_id}/{hpc}/{project_name}/', () => {
  beforeEach(() => table.hold(profileItem(), stored));

  it('changes grant and rest alike, with a ledger line and an audit line, in one transaction', async () => {
    const time = { granted: 18_000_100, left: 18_000_100, held: 0, used: 0 };
    expect(await put({ reason: ' a course ', add: { time: 100 } })).toEqual(
      answer(200, {
        ...quotaBody(hpcOne, { timeLeft: 18_000_100 }),
        usage: { ...unusedBody, time },
      }),
    );
    expect(table.writes()).toBe(1);
    const more = { time_granted: 18_000_100, time_left: 18_000_100 };
    expect(await table.read(stored)).toEqual({ ...stored, ...more });
    const [act] = await acts();
    const shared = { schema_version: 1, at: now, by: administrator, reason, act_id: act?.act_id };
    expect(await ledger()).toEqual([
      {
        PK: `LEDGER#${user}#hpc_one#proj_hpc_one_01`,
        SK: `${now}#grant#${act?.act_id}`,
        type: 'ledger-line',
        kind: 'grant',
        seconds: 100,
        kilobytes: 0,
        ...shared,
      },
    ]);
    expect(await acts()).toEqual([
      {
        PK: 'AUDIT#2026-11',
        SK: expect.stringMatching(/^2026-11-15T08:30:00\.000Z#[0-9a-f-]{36}$/),
        type: 'act',
        kind: 'quota-granted',
        ...shared,
        user,
        hpc: 'hpc_one',
        project_name: 'proj_hpc_one_01',
        details: {
          time: { before: 18_000_000, after: 18_000_100 },
          space: { before: 10_000_000, after: 10_000_000 },
          valid_until: { before: null, after: null },
        },
      },
    ]);
  });

  it('answers 201 with Location to what was not there, with the ban of its user', async () => {
    await table.hold(profileItem({ banned: 'a loop' }));
    const to = pathOf(secondProject);
    const granted = await put(
      { set: { time: 60 }, valid_until: '2026-12-01T00:00:00Z' },
      { path: to },
    );
    expect(granted.statusCode).toBe(201);
    expect(granted.headers?.location).toBe(`https://slipway.test${to}`);
    expect(await table.read(quotaItem(secondProject))).toMatchObject({
      time_granted: 60,
      time_left: 60,
      space_granted: 0,
      valid_until: '2026-12-01T00:00:00.000Z',
      due: expect.stringMatching(/^DUE#EXPIRY#[0-3]$/),
      due_at: '2026-11-24T00:00:00.000Z',
      banned_everywhere: 'a loop',
    });
  });

  it('writes nothing where nothing changes', async () => {
    await table.hold({ ...stored, valid_until: '2027-01-01T00:00:00.000Z' });
    for (const body of [
      { set: { time: 18_000_000 } },
      { add: { time: 0, space: -0 } },
      { valid_until: '2027-01-01T01:00:00+01:00' },
      { set: { space: 10_000_000 }, valid_until: '2027-01-01T00:00:00Z' },
    ]) {
      expect((await put(body)).statusCode).toBe(200);
    }
    expect(table.writes()).toBe(0);
  });

  it('sets the end and its next moment, takes both away, and writes no ledger line', async () => {
    const due = { due: 'DUE#EXPIRY#1', due_at: '2026-11-24T00:00:00.000Z' };
    expect((await put({ valid_until: '2026-12-01T00:00:00Z' })).statusCode).toBe(200);
    const end = { valid_until: '2026-12-01T00:00:00.000Z' };
    expect(await table.read(stored)).toEqual({ ...stored, ...end, ...due });
    expect((await put({ valid_until: null })).statusCode).toBe(200);
    expect(await table.read(stored)).toEqual(stored);
    expect((await acts()).map(({ kind }) => kind)).toEqual(['quota-corrected', 'quota-corrected']);
    expect(await ledger()).toEqual([]);
  });

  it('sets how a quota renews, says so in the audit, and the same again changes nothing', async () => {
    const when = { every: 'quarterly', on: 1, month: 2 };
    const renews = { ...when, to: { time: 3600, space: 10 }, carry_over: { time: 60, space: 0 } };
    expect((await put({ renews })).body).toMatchObject({
      usage: { renews: { ...renews, next: '2027-02-01T00:00:00Z' } },
    });
    expect(await table.read(stored)).toEqual({
      ...stored,
      renews: {
        ...when,
        to: { seconds: 3600, kilobytes: 10 },
        carry_over: { seconds: 60, kilobytes: 0 },
      },
      renews_next: '2027-02-01T00:00:00.000Z',
      due: 'DUE#EXPIRY#1',
      due_at: '2027-01-25T00:00:00.000Z',
    });
    const after = {
      renews:
        'quarterly from month 2 on day 1 to 3600 seconds and 10 kilobytes, ' +
        'carrying over up to 60 seconds and 0 kilobytes',
      renews_every: 'quarterly',
      renews_on: 1,
      renews_month: 2,
      renews_time: 3600,
      renews_space: 10,
      carries_over_time: 60,
      carries_over_space: 0,
    };
    const details = Object.fromEntries(
      Object.entries(after).map(([name, value]) => [name, { before: null, after: value }]),
    );
    expect(await acts()).toMatchObject([{ kind: 'quota-corrected', details }]);
    expect(await ledger()).toEqual([]);
    await put({ renews });
    expect(table.writes()).toBe(1);
  });

  it('answers 409 where too little is left, and writes nothing', async () => {
    await table.hold({ ...stored, time_left: 99, time_held: 17_999_901, living_jobs: 3 });
    expect(await put({ add: { time: -100 } })).toMatchObject(
      refusal(409, 'quota-in-use', {
        project_hpc: 'HPC_ONE',
        project_name: 'proj_hpc_one_01',
        charging: 'node',
        time: { granted: 18_000_000, left: 99, held: 17_999_901, used: 0 },
        space: { granted: 10_000_000, left: 10_000_000, held: 0, used: 0 },
        living_jobs: 3,
        lowest: { time: 17_999_901, space: 0 },
      }),
    );
    expect(table.writes()).toBe(0);
  });

  it('answers 409 to more than sums can hold', async () => {
    expect(await put({ add: { time: 1_000_000_000_000_000 } })).toMatchObject(
      refusal(409, 'grant-too-large'),
    );
  });

  it('answers 404 to an end or a renewal alone where there is no quota, and makes nothing', async () => {
    await table.drop(stored);
    for (const body of [{ valid_until: null }, { renews: null }]) {
      expect(await put(body)).toEqual(quotaNotFound('hpc_one', 'proj_hpc_one_01'));
    }
    expect(table.writes()).toBe(0);
  });

  it('answers 400 to a query, and asks nothing of the table', async () => {
    expect(await put({ add: { time: 1 } }, { query: 'reason=x' })).toEqual(
      invalidPart('query', 'reason', 'This path takes no parameters.'),
    );
    expect(table.sent()).toEqual([]);
  });
});

describe('on a mocked table', () => {
  beforeEach(() => {
    table.mock.on(GetCommand).resolves({ Item: stored });
    table.mock.on(TransactWriteCommand).resolves({});
  });

  it('a grant is one transaction over the amounts that were read', async () => {
    expect((await put({ add: { time: 100 } })).statusCode).toBe(200);
    const values = { ':added_time_left': 100, ':seen_time_granted': 18_000_000, ':least_time': 0 };
    expect(sentTransactions(table.mock)).toMatchObject([
      [{ Update: { ExpressionAttributeValues: values } }, { Put: {} }, { Put: {} }],
    ]);
  });

  it('any write is given up with 503 where others keep changing what was read', async () => {
    table.mock.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed, passed]));
    expect(await put({ add: { time: 1 } })).toMatchObject(refusal(503, 'busy'));
    expect(sentTransactions(table.mock)).toHaveLength(50);
  });
});
