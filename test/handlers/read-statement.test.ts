import { describe, expect, it } from 'vitest';
import { handler } from '#functions/catalog/read-projects.ts';
import { asAdministrator, ask, call } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { ledgerOfOne } from '../fixtures/ledgers.ts';
import { invalidPart } from '../fixtures/responses.ts';
import { hpcOne, quotaItem, user } from '../fixtures/samples.ts';

const table = useTable();
holdClock('2019-03-15T08:30:00Z');

const path = `/projects/${hpcOne.hpc}/${hpcOne.project}/statement/`;
const get = (query = '', headers = {}) =>
  ask(handler, { path, query, headers: { ...asAdministrator(), ...headers } });

const nothing = { time: 0, space: 0 };
/** What the ledger of the sample says of its month. */
const february = {
  opening: nothing,
  granted: { time: 18_000_000, space: 10_000_000 },
  expired: nothing,
  corrected: { time: -88_480, space: 0 },
  shared: nothing,
  used: { time: 11_520, space: 0 },
  drawn: nothing,
  reserved: { time: 0, space: 1 },
  closing: { time: 17_900_000, space: 9_999_999 },
  jobs_ended: 1,
};

describe('GET /projects/{hpc}/{project_name}/statement/', () => {
  const hold = () =>
    table.hold(
      ...ledgerOfOne.lines,
      quotaItem(hpcOne, { timeLeft: 17_900_000, spaceLeft: 9_999_999 }),
    );

  it('answers with the month and a row for each account, and stores what is closed', async () => {
    await hold();
    const { statusCode, body } = await get('month=2019-02');
    const expected = {
      project: hpcOne.projectNumber,
      project_hpc: 'HPC_ONE',
      project_name: hpcOne.project,
      month: '2019-02',
      until: '2019-03-01T00:00:00Z',
      closed: true,
      ...february,
      rows: [{ user, ...february }],
    };
    expect([statusCode, body]).toEqual([200, expected]);
    const before = table.sent().length;
    expect((await get('month=2019-02')).body).toEqual(expected);
    expect(table.sent().slice(before)).toEqual(['Query', 'Query']);
  });

  it('answers with this month, as far as it has come', async () => {
    await hold();
    const { body } = await get();
    const { closing } = february;
    const now = { month: '2019-03', until: '2019-03-15T08:30:00Z', closed: false };
    expect(body).toMatchObject({ ...now, opening: closing, closing, jobs_ended: 0 });
  });

  it('answers CSV to those who ask for it', async () => {
    await hold();
    const headers = { ...asAdministrator(), accept: 'text/csv' };
    const response = await call(handler, { path, query: 'month=2019-02', headers });
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename=statement-hpc_one-${hpcOne.project}-2019-02.csv`,
    });
    expect(response.body).toBe(
      'project_hpc,project_name,month,user,time_opening,time_granted,time_expired,time_corrected,' +
        'time_shared,time_used,time_drawn,time_reserved,time_closing,jobs_ended,space_opening,' +
        'space_granted,space_expired,space_corrected,space_shared,space_used,space_drawn,' +
        'space_reserved,space_closing\r\n' +
        `HPC_ONE,${hpcOne.project},2019-02,${user},0,18000000,0,-88480,0,11520,0,0,17900000,1,` +
        '0,10000000,0,0,0,0,0,1,9999999\r\n',
    );
  });

  it.each(['2019-04', '2008-12', '2019-13', '2019-3', '2019-02-01', ''])(
    'answers 400 to the month %j',
    async (month) => {
      expect(await get(`month=${month}`)).toEqual(
        invalidPart('query', 'month', 'It must be a month (2026-01), from 2009-01 to this one.'),
      );
    },
  );
});
