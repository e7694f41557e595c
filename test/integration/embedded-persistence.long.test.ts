import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  DescribeTimeToLiveCommand,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEngine } from '#local/dynamodb/embedded-dynamodb.ts';
import { useEmbedded } from '../engines/use-embedded.ts';
import { compileCache } from '../fixtures/edition.ts';

const key = (SK: string) => ({ PK: 'USER#1', SK });

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'embedded-dynamodb-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('the data', () => {
  it('is flushed to disk at every commit if it must survive a power cut', () => {
    for (const [durable, level] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const { database } = openEngine({ path: join(directory, String(durable)), durable });
      expect(database.statement('PRAGMA synchronous').get()).toEqual({ synchronous: level });
      database.close();
    }
  });

  it('is there again after closing and opening, with its indexes, times to live and tokens', async () => {
    const path = join(directory, 'made', 'on', 'demand');
    const transaction = (TableName: string) => ({
      ClientRequestToken: 'kept',
      TransactItems: [
        {
          Update: {
            TableName,
            Key: key('a'),
            UpdateExpression: 'SET id = :id ADD n :one',
            ExpressionAttributeValues: { ':id': 7, ':one': 1 },
          },
        },
      ],
    });
    await useEmbedded({ path }, async ({ client, documents, create }) => {
      const TableName = await create();
      await documents.transactWrite(transaction(TableName));
      const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true };
      await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    });

    await useEmbedded({ path }, async ({ client, documents }) => {
      const TableName = 'Table-1';
      await documents.transactWrite(transaction(TableName));
      const { Items } = await documents.query({
        TableName,
        IndexName: 'ById',
        ConsistentRead: true,
        KeyConditionExpression: 'PK = :user AND id = :id',
        ExpressionAttributeValues: { ':user': 'USER#1', ':id': 7 },
      });
      expect(Items).toEqual([{ ...key('a'), id: 7, n: 1 }]);
      const { TimeToLiveDescription } = await client.send(
        new DescribeTimeToLiveCommand({ TableName }),
      );
      expect(TimeToLiveDescription?.AttributeName).toBe('expires');
    });
  });

  it('without a path is in memory, and each engine has its own', async () => {
    await useEmbedded({}, async (one) => {
      await one.create();
      await useEmbedded({}, async (other) => {
        expect((await other.client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
      });
    });
  });

  it('holds whole transactions only, all that were acknowledged, after each of 4 kills', async () => {
    const path = join(directory, 'killed');
    let acknowledged: number[] = [];
    for (let kills = 0; kills < 4; kills += 1) {
      const first = kills * 100_000;
      acknowledged = [...acknowledged, ...(await writeUntilKilled(path, first, 40 + kills * 17))];
      await useEmbedded({ path }, async ({ documents }) => {
        const idsOf = async (part: string, IndexName?: string) => {
          const { Items = [] } = await documents.query({
            TableName: 'Table-1',
            IndexName,
            ConsistentRead: true,
            KeyConditionExpression: 'PK = :user',
            ExpressionAttributeValues: { ':user': `USER#${part}` },
          });
          return Items.map(({ SK }) => Number(SK)).sort((a, b) => a - b);
        };
        const ids = await idsOf('a');
        expect(ids).toEqual(expect.arrayContaining(acknowledged));
        for (const part of ['a', 'b', 'c']) {
          expect(await idsOf(part)).toEqual(ids);
          expect(await idsOf(part, 'ById')).toEqual(ids);
          expect(await idsOf(part, 'ByStage')).toEqual(ids);
        }
      });
    }
  });
});

/** Kills the writer once it has acknowledged so many, and returns which. */
async function writeUntilKilled(path: string, first: number, count: number): Promise<number[]> {
  const script = join(import.meta.dirname, '../engines/write-until-killed.ts');
  const child = spawn(process.execPath, [script, path, String(first)], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const acknowledged: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line));
    if (acknowledged.length >= count) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return acknowledged;
}
