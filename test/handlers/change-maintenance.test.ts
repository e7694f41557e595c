import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as list } from '#functions/catalog/list-systems.ts';
import { handler } from '#functions/status/change-maintenance.ts';
import { handler as readStatus } from '#functions/status/read-status.ts';
import { handler as readSystems } from '#functions/status/read-systems.ts';
import { asAdministrator, ask } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { answer, invalidRequest, refusal } from '../fixtures/responses.ts';
import { administrator } from '../fixtures/samples.ts';

const table = useTable();
const now = new Date('2026-11-20T08:00:00Z');
holdClock(now);

const window = {
  from: '2026-12-01T08:00:00Z',
  until: '2026-12-01T16:00:00Z',
  reason: 'New firmware.',
};
const shown = { name: '2026-12-01', ...window, drain: true, source: 'administrator' };
const pause = {
  ...shown,
  name: 'pause',
  from: '2026-11-20T08:00:00Z',
  until: null,
  reason: 'The cooling has failed.',
};

const put = (path: string, body: object) =>
  ask(
    handler,
    { method: 'PUT', path: `/admin/systems/hpc_one/${path}`, headers: asAdministrator() },
    body,
  );
const announce = (body: object = window, name = '2026-12-01') => put(`maintenance/${name}/`, body);
const withdraw = (name = '2026-12-01') => put(`maintenance/${name}/withdraw/`, { reason: 'Done.' });

const listActs = async () =>
  (await table.list('AUDIT#')).map(({ kind, hpc, by, reason, details }) => ({
    kind,
    hpc,
    by,
    reason,
    details,
  }));
const byAdministrator = { hpc: 'hpc_one', by: administrator };

describe('PUT /admin/systems/{hpc}/maintenance/{window_name}/', () => {
  it('announces a window, which everybody sees, and tells the audit', async () => {
    const location = 'https://slipway.test/admin/systems/';
    expect(await announce()).toEqual(answer(201, shown, { location }));
    const systems = (await ask(list, { path: '/hpc/', headers: asAdministrator() })).body;
    expect(systems).toMatchObject([{ name: 'hpc_one', maintenance: [shown] }, { name: 'hpc_two' }]);
    expect(Object(systems)[1]).not.toHaveProperty('maintenance');
    const reports = await ask(readSystems, {
      path: '/admin/systems/',
      headers: asAdministrator(),
    });
    expect(reports.body).toMatchObject([{ maintenance: [shown], status: 'unknown' }, {}]);
    expect(await listActs()).toEqual([
      {
        kind: 'maintenance-announced',
        reason: window.reason,
        ...byAdministrator,
        details: {
          window: '2026-12-01',
          from: { before: null, after: '2026-12-01T08:00:00.000Z' },
          until: { before: null, after: '2026-12-01T16:00:00.000Z' },
          drain: { before: null, after: 'yes' },
          announced: { before: null, after: window.reason },
        },
      },
    ]);
  });

  it('changes the window of this name, and writes nothing if that has no effect', async () => {
    await announce();
    expect(await announce()).toEqual(answer(200, shown));
    expect(table.writes()).toBe(1);
    const later = { ...window, until: '2026-12-01T18:00:00Z', drain: false };
    expect(await announce(later)).toEqual(answer(200, { ...shown, ...later }));
    const changed = (await listActs()).find(({ kind }) => kind === 'maintenance-changed');
    expect(changed).toMatchObject({
      details: {
        until: { before: '2026-12-01T16:00:00.000Z', after: '2026-12-01T18:00:00.000Z' },
        drain: { before: 'yes', after: 'no' },
      },
    });
  });

  it.each([
    [{ ...window, until: window.from }, 'until', 'It must be after the beginning.'],
    [
      { ...window, from: '2026-11-19', until: '2026-11-20T08:00:00Z' },
      'until',
      'It must be in the future.',
    ],
    [{ ...window, reason: ' ' }, 'reason', 'It must not be empty: say why.'],
    [
      { ...window, from: '2026-12-01T08:00' },
      'from',
      'It must be a date (2026-12-01), or a date and time with a time zone (2026-12-01T08:00:00Z).',
    ],
  ])('refuses %j', async (body, name, message) => {
    expect(await announce(body)).toEqual(invalidRequest([{ location: 'body', name, message }]));
    expect(table.writes()).toBe(0);
  });

  it('refuses a name that cannot be one', async () => {
    const { statusCode, body } = await announce(window, 'A%20day');
    expect([statusCode, Object(body).errors]).toMatchObject([400, [{ name: 'window_name' }]]);
  });
});

describe('a window', () => {
  it('is withdrawn, once', async () => {
    await announce();
    expect(await withdraw()).toEqual(answer(200, shown));
    expect(await withdraw()).toMatchObject(refusal(404, 'maintenance-not-found'));
    expect(await table.read({ PK: 'SYSTEM#hpc_one', SK: 'MAINTENANCE' })).toMatchObject({
      windows: [],
      revision: 2,
      judge_again_since: now.toISOString(),
    });
  });

  it('of the catalog or of Slurm is not withdrawn here', async () => {
    const windows = [{ ...shown, drain: undefined, source: 'slurm' }];
    const key = { PK: 'SYSTEM#hpc_one', SK: 'MAINTENANCE' };
    const item = { ...key, type: 'system-maintenance', schema_version: 1, hpc: 'hpc_one' };
    await table.hold({ ...item, windows, revision: 1 });
    expect(await withdraw()).toMatchObject(refusal(404, 'maintenance-not-found'));
  });

  it('is gone once it is over', async () => {
    await announce();
    vi.setSystemTime(window.until);
    const { body } = await ask(list, { path: '/hpc/', headers: asAdministrator() });
    expect(Object(body)[0]).not.toHaveProperty('maintenance');
    expect(await withdraw()).toMatchObject(refusal(404, 'maintenance-not-found'));
  });
});

describe('PUT /admin/systems/{hpc}/pause/', () => {
  const stop = (reason = pause.reason) => put('pause/', { reason });
  beforeEach(stop.bind(undefined, undefined));

  it('closes the system from now on, until it is resumed', async () => {
    const status = async () =>
      Object((await ask(readStatus, { path: '/status/' })).body).systems[0];
    expect(await status()).toEqual({
      name: 'hpc_one',
      project_hpc: 'HPC_ONE',
      status: 'closed',
      closed_until: null,
    });
    expect(await put('resume/', { reason: 'It works again.' })).toEqual(answer(200, pause));
    expect(await status()).toMatchObject({ status: 'unknown' });
    expect(await put('resume/', { reason: 'Again.' })).toMatchObject(
      refusal(404, 'maintenance-not-found'),
    );
    expect((await listActs()).map(({ kind }) => kind).sort()).toEqual([
      'maintenance-announced',
      'maintenance-withdrawn',
    ]);
  });

  it('says something else while it is paused, and keeps its beginning', async () => {
    vi.setSystemTime('2026-11-20T09:00:00Z');
    expect(await stop('Still.')).toEqual(answer(200, { ...pause, reason: 'Still.' }));
  });
});
