import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/grant-quotas.ts';
import { asAdministrator, ask } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { invalidPart } from '../fixtures/responses.ts';
import { administrator, hpcOne, quotaItem, user } from '../fixtures/samples.ts';
import { sentTransactions } from '../fixtures/table-mock.ts';

const table = useTable();
beforeEach(() => table.hold(profileItem(), quotaItem(hpcOne)));

const ndjson = 'application/x-ndjson';

async function post(body: string, { query = 'reason=a+course', type = ndjson, key = 'k-1' } = {}) {
  const headers = {
    ...asAdministrator(),
    'content-type': type,
    ...(key !== '' && { 'idempotency-key': key }),
  };
  const request = { method: 'POST', path: '/admin/quotas/', query, headers };
  return ask(handler, { ...request, body: Buffer.from(body) });
}

const account = { user_id: user, hpc: 'hpc_one', project_name: 'proj_hpc_one_01' };
const shown = { user, project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' };
const still = { before: 10_000_000, after: 10_000_000 };
const noEnd = { before: null, after: null };
const lines = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

describe('POST /admin/quotas/', () => {
  it('looks into the ledgers of somebody whose profile is older than the note of a welcome', async () => {
    const { welcomed_on: _, ...older } = profileItem();
    await table.drop(quotaItem(hpcOne));
    await table.hold(older, {
      PK: `LEDGER#${user}#hpc_one#${hpcOne.project}`,
      SK: '2019-02-08T08:00:00.000Z#grant#slipway',
    });
    const { body } = await post(lines({ ...account, set: { time: 100 } }));
    expect(body).toMatchObject([
      { line: 1, outcome: 'granted', change: { time: { before: 0, after: 100 } } },
    ]);
  });

  it('grants, corrects, leaves alone and refuses, each row by itself', async () => {
    const response = await post(
      lines(
        { ...account, add: { time: 100 } },
        { ...account, user_id: '9', valid_until: '2999-01-01' },
        { ...account, hpc: 'hpc_six', set: { time: 1 } },
        { ...account, set: { time: 1 } },
        { ...account, user_id: 'x', set: { time: 0.5 } },
      ),
    );
    const refused = (line: number, type: string, detail: unknown) => ({
      line,
      outcome: 'refused',
      problem: expect.objectContaining({ type: `urn:slipway:problem:${type}`, detail }),
    });
    const time = { before: 18_000_000, after: 18_000_100 };
    expect(response).toMatchObject({ statusCode: 200 });
    expect(response.body).toEqual([
      { line: 1, outcome: 'granted', ...shown, change: { time, space: still, valid_until: noEnd } },
      refused(2, 'quota-not-found', expect.stringContaining('No quota in ')),
      refused(3, 'system-not-found', expect.stringContaining("Unknown HPC system 'hpc_six'")),
      refused(4, 'invalid-request', 'row: Line 1 is about the same thing. Send only one of them.'),
      refused(5, 'invalid-request', expect.stringContaining('2 parts of the request')),
    ]);
    expect(await table.list(`USER#${administrator}`)).toMatchObject([
      { SK: 'GRANTED#1#k-1', type: 'granted-row' },
    ]);
    expect(await table.list(`LEDGER#${user}`)).toMatchObject([
      { kind: 'grant', seconds: 100, reason: 'a course' },
    ]);
    expect(await table.list('AUDIT#')).toMatchObject([
      { kind: 'quota-granted', by: administrator },
    ]);
    expect(table.writes()).toBe(1);
  });

  it('takes a renewal, and ends one', async () => {
    const renews = { every: 'monthly', on: 1, to: { time: 60, space: 1 } };
    const { body } = await post(lines({ ...account, renews }), { key: '' });
    const text = expect.any(String);
    expect(body).toMatchObject([
      { outcome: 'corrected', change: { renews: { before: null, after: text } } },
    ]);
    const csv = `user_id,hpc,project_name,renews\n${user},hpc_one,proj_hpc_one_01,null\n`;
    expect((await post(csv, { key: '', type: 'text/csv' })).body).toMatchObject([
      { outcome: 'corrected', change: { renews: { before: text, after: null } } },
    ]);
  });

  it('takes CSV, with a reason of each row', async () => {
    const csv =
      'user_id,hpc,project_name,set.time,set.space,valid_until,reason\r\n' +
      `${user},hpc_one,proj_hpc_one_01,3600,,null,"she has left, ""for good"""\r\n`;
    const sent = { type: 'text/csv; charset=utf-8', query: '', key: '' };
    const change = { time: { before: 18_000_000, after: 3600 }, space: still, valid_until: noEnd };
    expect((await post(csv, sent)).body).toEqual([
      { line: 2, outcome: 'corrected', ...shown, change },
    ]);
    expect(await table.list('AUDIT#')).toMatchObject([{ reason: 'she has left, "for good"' }]);
  });

  it('says with dry_run=true what it would do, and writes nothing, without a key too', async () => {
    const rows = lines(
      { ...account, add: { time: -18_000_001 } },
      { ...account, user_id: '9', add: { space: 1 } },
      { ...account, user_id: '10', set: { time: 18_000_000 } },
    );
    const { body } = await post(rows, { query: 'dry_run=true&reason=a', key: '' });
    // The quota of the first contact counts, for it would be there.
    const space = { before: 10_000_000, after: 10_000_001 };
    expect(body).toMatchObject([
      { line: 1, outcome: 'refused', problem: { lowest: { time: 0, space: 0 } } },
      { line: 2, outcome: 'granted', user: '9', change: { space } },
      { line: 3, outcome: 'unchanged', user: '10', change: null },
    ]);
    expect(table.writes()).toBe(0);
  });

  it('refuses rows without a reason, and rows that add without a key', async () => {
    const { body } = await post(lines({ ...account, set: { time: 1 } }), { query: '' });
    const message = 'It is required: say why, in the row or for all rows with ?reason=...';
    expect(body).toMatchObject([
      { outcome: 'refused', problem: { errors: [{ name: 'reason', message }] } },
    ]);
    expect(await post(lines({ ...account, add: { time: 1 } }), { key: '' })).toEqual(
      invalidPart(
        'header',
        'Idempotency-Key',
        'It is required if rows use add. With a key you can retry the request, and each row counts once.',
      ),
    );
    expect(table.writes()).toBe(0);
  });

  it.each([
    { what: 'no rows', body: '\n', sent: {}, status: 400 },
    { what: 'JSON', body: '{}', sent: { type: 'application/json' }, status: 415 },
    { what: 'an unknown parameter', body: '{}', sent: { query: 'reason=a&dry=1' }, status: 400 },
    { what: 'an empty reason', body: '{}', sent: { query: 'reason=' }, status: 400 },
  ])('refuses $what as a whole', async ({ body, sent, status }) => {
    expect((await post(body, sent)).statusCode).toBe(status);
    expect(table.sent()).toEqual([]);
  });

  it('carries a row out together with its key: on a mocked table', async () => {
    table.mock.on(GetCommand).resolves({ Item: quotaItem(hpcOne) });
    table.mock
      .on(GetCommand, { Key: { PK: `USER#${administrator}`, SK: 'GRANTED#1#k-1' } })
      .resolves({});
    table.mock.on(TransactWriteCommand).resolves({});
    const { body } = await post(lines({ ...account, add: { time: 1 } }, { ...account, hpc: 'x' }));
    expect(body).toMatchObject([{ outcome: 'granted' }, { outcome: 'refused' }]);
    const condition = 'attribute_not_exists(PK) OR expires_at <= :now';
    expect(sentTransactions(table.mock)).toMatchObject([
      [{ Put: { ConditionExpression: condition } }, { Update: {} }, { Put: {} }, { Put: {} }],
    ]);
  });
});
