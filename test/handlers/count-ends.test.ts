import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler } from '#functions/listeners/count-ends.ts';
import { listeners } from '#functions/listeners.ts';
import { findUndeclaredCalls } from '../fixtures/declared-use.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { hpcOne, user } from '../fixtures/samples.ts';
import { canceled, conditionFailed, passed, sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();

const { hpc, project, jobId } = hpcOne;
const end = {
  account: { user, hpc, project },
  jobId,
  at: '2026-11-15T10:06:00.512Z',
  used: 11_520,
  asked: 14_400,
  outcome: 'failed',
  waited: 60,
  ran: 5760,
};
const tell = (...ends: object[]) => handler({ source: 'slipway.ends', detail: { ends } });

const markKey = { PK: `USAGE#COUNTED#${user}#${hpc}#${project}`, SK: jobId };
const place = `${user.padStart(32, '0')}#${user}`;
const day = { PK: `USAGE#USER#${user}`, SK: `2026-11-15#${hpc}#${project}` };

/** 65 buckets of five characters; these hold one duration each. */
const bucket = (place: number, count = '00001') =>
  `${'00000'.repeat(place)}${count}${'00000'.repeat(64 - place)}`;

const sum = {
  type: 'usage-sum',
  schema_version: 1,
  hpc,
  project_name: project,
  used: 11_520,
  asked: 14_400,
  jobs: 1,
  failed: 1,
  cancelled: 0,
  waited: bucket(18),
  ran: bucket(38),
};
const dayItem = { ...day, ...sum, user, time: '2026-11-15' };

describe('count-ends', () => {
  it('adds an end to the sums of its user and its project, and marks it, at once', async () => {
    await tell(end);
    expect(await table.list('USAGE#')).toEqual([
      { ...markKey, type: 'counted-end', schema_version: 1, day: '2026-11-15' },
      { PK: `USAGE#PROJECT#${hpc}#${project}`, SK: '2026-11-15', ...sum, time: '2026-11-15' },
      { PK: 'USAGE#PROJECTS#2026-11', SK: `${hpc}#${project}`, ...sum, time: '2026-11' },
      dayItem,
      {
        PK: 'USAGE#USERS#2026-11',
        SK: `${place}#${hpc}#${project}`,
        ...sum,
        user,
        time: '2026-11',
      },
    ]);
    expect(table.sent()).toEqual(['BatchGetItem', 'TransactWriteItems']);
    expect(findUndeclaredCalls(listeners['count-ends'].table)).toEqual([]);
    await tell(end, end);
    expect(table.writes()).toBe(1);
  });

  it('adds to what is there', async () => {
    await table.hold({ ...dayItem, jobs: 7, used: 100 });
    await tell(end);
    expect(await table.read(day)).toEqual({
      ...dayItem,
      used: 11_620,
      asked: 28_800,
      jobs: 8,
      failed: 2,
      waited: bucket(18, '00002'),
      ran: bucket(38, '00002'),
    });
  });

  it('leaves open what was asked for if the sum is older than this figure', async () => {
    const { asked: _, ...older } = dayItem;
    await table.hold({ ...older, jobs: 7 });
    await tell(end);
    expect(await table.read(day)).toMatchObject({ used: 23_040, jobs: 8 });
    expect(await table.read(day)).not.toHaveProperty('asked');
  });

  it('counts nothing as asked for by a job that never ran', async () => {
    const { waited: _, ran: __, ...never } = end;
    await tell({ ...never, outcome: 'cancelled', used: 0 });
    expect(await table.read(day)).toMatchObject({ used: 0, asked: 0 });
  });

  it('reads and adds again where others were faster, over what was read: on a mocked table', async () => {
    await table.hold({ ...dayItem, jobs: 7 });
    const stale = canceled([passed, conditionFailed(), passed, passed, passed]);
    table.mock.on(TransactWriteCommand).rejectsOnce(stale).resolves({});
    await tell(end);
    const sent = sentCommands(table.mock);
    const names = ['BatchGetCommand', 'TransactWriteCommand'];
    expect(sent.map(([name]) => name)).toEqual([...names, ...names]);
    const seen = { ExpressionAttributeValues: { ':jobs': 7 } };
    expect(Object(sent[3]?.[1]).TransactItems[1].Put).toMatchObject(seen);
  });

  it('fails, and is told again, where the table does', async () => {
    table.mock.on(TransactWriteCommand).rejects(new Error('away'));
    await expect(tell(end)).rejects.toThrow('away');
  });

  it.each([{ ends: 7 }, { ends: [{ ...end, used: '7' }] }, { ends: [{ ...end, at: 'soon' }] }])(
    'refuses what is not of this kind: %j',
    async (detail) => {
      await expect(handler({ detail })).rejects.toThrow();
      expect(table.sent()).toEqual([]);
    },
  );
});
