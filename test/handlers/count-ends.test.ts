import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/listeners/count-ends.ts';
import { listeners } from '#functions/listeners.ts';
import { findUndeclaredCalls } from '../fixtures/declared-use.ts';
import { hpcOne, user } from '../fixtures/samples.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  sentCommands,
  tableName,
} from '../fixtures/table-mock.ts';

const table = mockTable();

const { hpc, project, jobId } = hpcOne;
const account = { user, hpc, project };
const end = {
  account,
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
const sumKeys = [
  { PK: `USAGE#USER#${user}`, SK: `2026-11-15#${hpc}#${project}` },
  { PK: 'USAGE#USERS#2026-11', SK: `${place}#${hpc}#${project}` },
  { PK: `USAGE#PROJECT#${hpc}#${project}`, SK: '2026-11-15' },
  { PK: 'USAGE#PROJECTS#2026-11', SK: `${hpc}#${project}` },
];

/** 65 buckets of five characters; these hold one duration each. */
const bucket = (place: number, count = '00001') =>
  `${'00000'.repeat(place)}${count}${'00000'.repeat(64 - place)}`;

const counts = { used: 11_520, asked: 14_400, jobs: 1, failed: 1, cancelled: 0 };
const sum = {
  type: 'usage-sum',
  schema_version: 1,
  hpc,
  project_name: project,
  ...counts,
  waited: bucket(18),
  ran: bucket(38),
};

const written = () =>
  sentCommands(table).flatMap(([name, input]) =>
    name === 'TransactWriteCommand' ? [Object(input).TransactItems] : [],
  );

beforeEach(() => {
  table.reset();
  table.on(BatchGetCommand).resolves({ Responses: { [tableName]: [] } });
  table.on(TransactWriteCommand).resolves({});
});

describe('count-ends', () => {
  it('adds an end to the sums of its user and its project, and marks it, at once', async () => {
    await tell(end);
    const isNew = { TableName: tableName, ConditionExpression: 'attribute_not_exists(PK)' };
    const times = ['2026-11-15', '2026-11', '2026-11-15', '2026-11'];
    expect(sentCommands(table)).toEqual([
      [
        'BatchGetCommand',
        { RequestItems: { [tableName]: { Keys: [markKey, ...sumKeys], ConsistentRead: true } } },
      ],
      [
        'TransactWriteCommand',
        {
          TransactItems: [
            {
              Put: {
                ...isNew,
                Item: { ...markKey, type: 'counted-end', schema_version: 1, day: '2026-11-15' },
              },
            },
            ...sumKeys.map((key, index) => ({
              Put: {
                ...isNew,
                Item: { ...key, ...sum, ...(index < 2 && { user }), time: times[index] },
              },
            })),
          ],
        },
      ],
    ]);
    expect(findUndeclaredCalls(listeners['count-ends'].table)).toEqual([]);
  });

  it('leaves open what was asked for if the sum is older than this figure', async () => {
    const [day] = sumKeys;
    const { asked: _, ...older } = sum;
    const before = { ...day, ...older, user, time: '2026-11-15', jobs: 7 };
    table.on(BatchGetCommand).resolves({ Responses: { [tableName]: [before] } });
    await tell(end);
    expect(written()[0][1].Put.Item).toMatchObject({ used: 23_040, jobs: 8 });
    expect(written()[0][1].Put.Item).not.toHaveProperty('asked');
  });

  it('counts nothing as asked for by a job that never ran', async () => {
    table.on(BatchGetCommand).resolves({ Responses: { [tableName]: [] } });
    const { waited: _, ran: __, ...never } = end;
    await tell({ ...never, outcome: 'cancelled', used: 0 });
    expect(written()[0][1].Put.Item).toMatchObject({ used: 0, asked: 0 });
  });

  it('adds to what is there, unless that has changed since', async () => {
    const [day] = sumKeys;
    const before = { ...day, ...sum, user, time: '2026-11-15', jobs: 7, used: 100 };
    table.on(BatchGetCommand).resolves({ Responses: { [tableName]: [before] } });
    await tell(end);
    expect(written()[0][1]).toEqual({
      Put: {
        TableName: tableName,
        Item: {
          ...before,
          used: 11_620,
          asked: 28_800,
          jobs: 8,
          failed: 2,
          waited: bucket(18, '00002'),
          ran: bucket(38, '00002'),
        },
        ConditionExpression: 'jobs = :jobs',
        ExpressionAttributeValues: { ':jobs': 7 },
      },
    });
  });

  it('reads and adds again where others were faster', async () => {
    const stale = canceled([passed, conditionFailed(), passed, passed, passed]);
    table.on(TransactWriteCommand).rejectsOnce(stale).resolves({});
    await tell(end);
    expect(sentCommands(table).map(([name]) => name)).toEqual([
      'BatchGetCommand',
      'TransactWriteCommand',
      'BatchGetCommand',
      'TransactWriteCommand',
    ]);
  });

  it('writes nothing for an end that was counted before', async () => {
    table.on(BatchGetCommand).resolves({ Responses: { [tableName]: [markKey] } });
    await tell(end, end);
    expect(written()).toEqual([]);
  });

  it('fails, and is told again, where the table does', async () => {
    table.on(TransactWriteCommand).rejects(new Error('away'));
    await expect(tell(end)).rejects.toThrow('away');
  });

  it.each([{ ends: 7 }, { ends: [{ ...end, used: '7' }] }, { ends: [{ ...end, at: 'soon' }] }])(
    'refuses what is not of this kind: %j',
    async (detail) => {
      await expect(handler({ detail })).rejects.toThrow();
      expect(sentCommands(table)).toEqual([]);
    },
  );
});
