import {
  DescribeTimeToLiveCommand,
  DynamoDBServiceException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#local/dynamodb/store/open-database.ts';
import {
  forgetExpiredTokens,
  isRepeated,
  rememberToken,
} from '#local/dynamodb/store/token-store.ts';
import { errorOf, type Tables } from '../engines/open-tables.ts';
import { useEmbedded } from '../engines/use-embedded.ts';
import { onEveryEngine } from '../engines/use-table.ts';
import { useTables } from '../engines/use-tables.ts';

const key = (SK: string) => ({ PK: 'USER#1', SK });

function setTimeToLive(
  { client }: Pick<Tables, 'client'>,
  TableName: string,
  AttributeName: string,
  Enabled: boolean,
) {
  const TimeToLiveSpecification = { AttributeName, Enabled };
  return client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

onEveryEngine('the setting of a time to live on $name', ({ start }) => {
  const tables = useTables(start);
  let TableName: string;
  beforeAll(async () => {
    TableName = await tables.create();
  });

  const describeIt = async (table = TableName) =>
    (await tables.client.send(new DescribeTimeToLiveCommand({ TableName: table })))
      .TimeToLiveDescription;
  const refusal = async (attempt: Promise<unknown>) => {
    const { name, message } = await errorOf(DynamoDBServiceException, attempt);
    return `${name}: ${message}`;
  };

  it('is off, turned on, shown, and turned off', async () => {
    expect(await describeIt()).toEqual({ TimeToLiveStatus: 'DISABLED' });
    expect(await refusal(setTimeToLive(tables, TableName, 'expires', false))).toBe(
      'ValidationException: TimeToLive is already disabled',
    );

    const answer = await setTimeToLive(tables, TableName, 'expires', true);
    expect(answer.TimeToLiveSpecification).toEqual({ AttributeName: 'expires', Enabled: true });
    expect(await describeIt()).toEqual({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: 'expires',
    });
    expect(await refusal(setTimeToLive(tables, TableName, 'expires', true))).toBe(
      'ValidationException: TimeToLive is already enabled',
    );
    expect(await refusal(setTimeToLive(tables, TableName, 'other', false))).toMatch(
      /^ValidationException: TimeToLive is active on a different AttributeName/,
    );

    await setTimeToLive(tables, TableName, 'expires', false);
    expect(await describeIt()).toEqual({ TimeToLiveStatus: 'DISABLED' });
  });

  it('needs a table', async () => {
    expect(await refusal(describeIt('Nowhere'))).toMatch(/^ResourceNotFoundException/);
    expect(await refusal(setTimeToLive(tables, 'Nowhere', 'expires', true))).toMatch(
      /^ResourceNotFoundException/,
    );
  });
});

describe('expired items of the embedded engine', () => {
  let now = Date.UTC(2027, 0, 1);
  const inSeconds = (seconds: number) => now / 1000 + seconds;

  it('go from the table and its indexes once their time is over, and no others', async () => {
    await useEmbedded({ now: () => now, sweepSeconds: 0.01 }, async (tables) => {
      const TableName = await tables.create();
      const untouched = await tables.create();
      await setTimeToLive(tables, TableName, 'expires', true);
      const items = [
        { ...key('soon'), id: 1, expires: inSeconds(60) },
        { ...key('later'), id: 2, expires: inSeconds(120) },
        { ...key('text'), id: 3, expires: `${inSeconds(60)}` },
        { ...key('forever'), id: 4 },
        // Five years back and more is a mistake, not a time.
        { ...key('ancient'), id: 5, expires: inSeconds(-6 * 365 * 24 * 3600) },
      ].map((item) => ({ ...item, stage: 'S', dueShard: 'DUE#1', due: 1, projectName: 'P1' }));
      for (const Item of items) {
        await tables.documents.put({ TableName, Item });
        await tables.documents.put({ TableName: untouched, Item });
      }
      const keys = async (table: string, IndexName?: string, hash = 'PK', value = 'USER#1') => {
        const { Items } = await tables.documents.query({
          TableName: table,
          IndexName,
          KeyConditionExpression: '#hash = :value',
          ExpressionAttributeNames: { '#hash': hash },
          ExpressionAttributeValues: { ':value': value },
        });
        return Items?.map(({ SK }) => SK).sort();
      };
      const all = ['ancient', 'forever', 'later', 'soon', 'text'];
      expect(await keys(TableName)).toEqual(all);

      now += 60_000;
      await expect.poll(() => keys(TableName)).not.toContain('soon');
      expect(await keys(TableName)).toEqual(['ancient', 'forever', 'later', 'text']);
      now += 60_000;
      await expect.poll(() => keys(TableName)).not.toContain('later');

      const left = ['ancient', 'forever', 'text'];
      expect(await keys(TableName)).toEqual(left);
      expect(await keys(TableName, 'ById')).toEqual(left);
      expect(await keys(TableName, 'ByStage')).toEqual(left);
      expect(await keys(TableName, 'ByDue', 'dueShard', 'DUE#1')).toEqual(left);
      expect(await keys(TableName, 'ByProject', 'projectName', 'P1')).toEqual(left);
      expect(await keys(untouched)).toEqual(all);
    });
  });

  it('leave no token of a transaction behind after ten minutes', () => {
    const database = openDatabase(undefined);
    rememberToken(database, 'old', 'digest', 0);
    rememberToken(database, 'new', 'digest', 1);
    forgetExpiredTokens(database, 600_000);
    // Asked for at a time when both were good.
    expect(isRepeated(database, 'old', 'digest', 0)).toBe(false);
    expect(isRepeated(database, 'new', 'digest', 0)).toBe(true);
    database.close();
  });
});
