import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTimeToLiveCommand,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { openTables, schema } from '../engines/open-tables.ts';
import { useEmbedded } from '../engines/use-embedded.ts';

const key = (SK: string) => ({ PK: 'USER#1', SK });

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'embedded-dynamodb-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('starting', () => {
  const refusalOf = (options: Parameters<typeof startEmbeddedDynamoDb>[0]) =>
    startEmbeddedDynamoDb(options).then(
      async (running) => {
        await running.close();
        return 'It started.';
      },
      (error: Error) => error.message,
    );

  it('listens on the loopback address, on a free port or the one given', async () => {
    await useEmbedded({}, async (_tables, { endpoint }) => {
      expect(endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      const port = Number(new URL(endpoint).port);
      const path = join(directory, 'data');
      expect(await refusalOf({ port, path })).toBe(
        `The embedded DynamoDB cannot listen on port ${port} ` +
          `(listen EADDRINUSE: address already in use 127.0.0.1:${port}).`,
      );
      // The refused one holds nothing.
      await useEmbedded({ path }, async ({ create }) => expect(await create()).toBe('Table-1'));
    });
  });

  it('says in one sentence that a database is in use, and leaves it unharmed', async () => {
    const path = join(directory, 'data');
    await useEmbedded({ path }, async ({ create, documents }) => {
      expect(await refusalOf({ path })).toBe(
        `The database in ${path} is already in use, probably by another Slipway.`,
      );
      const TableName = await create();
      await documents.put({ TableName, Item: key('a') });
    });
  });

  it('says in one sentence that a directory cannot be used', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    expect(await refusalOf({ path: file })).toBe(
      `The folder ${file} cannot be made (EEXIST: file already exists, mkdir '${file}'). Choose another folder with DATA_DIR.`,
    );
    const below = join(file, 'data');
    expect(await refusalOf({ path: below })).toBe(
      `The folder ${below} cannot be made (ENOTDIR: not a directory, mkdir '${below}'). Choose another folder with DATA_DIR.`,
    );
  });

  it('keeps its files for their owner alone, also those that others could read before', async () => {
    const path = join(directory, 'data');
    const modes = () =>
      [path, ...readdirSync(path).map((name) => join(path, name))].map((name) =>
        (statSync(name).mode & 0o777).toString(8),
      );
    await useEmbedded({ path }, async ({ create }) => {
      await create();
      expect(modes()).toEqual(['700', ...readdirSync(path).map(() => '600')]);
    });
    chmodSync(path, 0o755);
    for (const name of readdirSync(path)) chmodSync(join(path, name), 0o644);
    await useEmbedded({ path }, async () => {
      expect(modes()).toEqual(['700', ...readdirSync(path).map(() => '600')]);
    });
  });

  it('says in one sentence that a database is damaged', async () => {
    const path = join(directory, 'data');
    mkdirSync(path);
    writeFileSync(join(path, 'table.sqlite'), 'nonsense');
    expect(await refusalOf({ path })).toBe(
      `The database in ${path} is damaged (file is not a database). ${help}`,
    );
  });

  it('refuses an empty database beside its log, and leaves both alone', async () => {
    const path = join(directory, 'data');
    mkdirSync(path);
    writeFileSync(join(path, 'table.sqlite'), '');
    writeFileSync(join(path, 'table.sqlite-wal'), 'what was committed');
    expect(await refusalOf({ path })).toBe(
      `The database in ${path} is damaged (table.sqlite is empty or missing beside its table.sqlite-wal). ${help}`,
    );
    expect(readFileSync(join(path, 'table.sqlite-wal'), 'utf8')).toBe('what was committed');
  });

  it('writes nothing any more once it has met damage, and says so once', async () => {
    const path = join(directory, 'data');
    const Item = (n: number) => ({ ...key(`${n}`), text: 'x'.repeat(3000) });
    await useEmbedded({ path }, async ({ create, documents }) => {
      const TableName = await create();
      for (let n = 0; n < 50; n += 1) await documents.put({ TableName, Item: Item(n) });
    });
    const lines = vi.spyOn(console, 'error').mockReturnValue(undefined);
    onTestFinished(() => lines.mockRestore());
    await useEmbedded({ path }, async ({ documents }, { figures }) => {
      expect(figures.canWrite()).toBe(true);
      const file = join(path, 'table.sqlite');
      const pages = Buffer.alloc(statSync(file).size - 8192);
      writeSync(openSync(file, 'r+'), pages, 0, pages.length, 8192);
      const TableName = 'Table-1';
      const failed = { name: 'InternalServerError' };
      await expect(documents.get({ TableName, Key: key('7') })).rejects.toMatchObject(failed);
      await expect(documents.put({ TableName, Item: Item(51) })).rejects.toMatchObject(failed);
      expect(figures.canWrite()).toBe(false);
      expect(lines.mock.calls).toEqual([
        [
          `The database in ${path} is damaged (database disk image is malformed). From now on every change is refused with 503. Stop the service. ${help}`,
        ],
      ]);
    });
  });

  it('says in one line that data has the form of an earlier version, and leaves it alone', async () => {
    const path = join(directory, 'data');
    mkdirSync(path);
    writeFileSync(join(path, 'CURRENT'), 'MANIFEST-000002\n');
    expect(await refusalOf({ path })).toBe(otherLayout(path));
    expect(readdirSync(path)).toEqual(['CURRENT']);
  });

  it('says in one sentence that data has the form of a later version', async () => {
    const path = join(directory, 'data');
    await useEmbedded({ path }, async ({ create }) => void (await create()));
    const database = new DatabaseSync(join(path, 'table.sqlite'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    rmSync(join(path, 'table.seal'));
    expect(await refusalOf({ path })).toBe(otherLayout(path));
  });
});

describe('data of release 0.1.0, which knows no steps', () => {
  it('is taken over, and that release refuses it from then on', async () => {
    const path = join(directory, 'data');
    const file = join(path, 'table.sqlite');
    await useEmbedded({ path }, async ({ create, documents }) => {
      await create();
      await documents.put({ TableName: 'Table-1', Item: { ...key('a'), id: 1 } });
    });
    const setVersion = new DatabaseSync(file);
    setVersion.exec('PRAGMA user_version = 1');
    setVersion.close();
    rmSync(join(path, 'table.seal'));
    // The second time, the seal must know what the first one has written.
    for (const visit of ['first', 'second']) {
      await useEmbedded({ path, check: 'full' }, async ({ documents }) => {
        const { Item } = await documents.get({ TableName: 'Table-1', Key: key('a') });
        expect(Item, visit).toMatchObject({ id: 1 });
      });
    }
    const written = new DatabaseSync(file, { readOnly: true });
    // That release opens layout 1 alone.
    expect(written.prepare('PRAGMA user_version').get()?.user_version).toBe(2);
    written.close();
  });
});

const help = 'What to do is in docs/restore.md, "A damaged data folder".';
const otherLayout = (path: string) =>
  `The data in ${path} has the layout of another version of Slipway, which this one cannot read. ` +
  'Start that version, write its jobs and quotas to a file with `npm run export`, ' +
  'and read them with `npm run import` into a new folder (DATA_DIR), as docs/transfer.md says.';

describe('tables', () => {
  it('are active with the answer to their creation, and gone with that to their deletion', async () => {
    await useEmbedded({}, async ({ client, documents }) => {
      const TableName = 'Table';
      const { TableDescription } = await client.send(
        new CreateTableCommand({ TableName, ...schema }),
      );
      expect(TableDescription?.TableStatus).toBe('ACTIVE');
      await documents.put({ TableName, Item: { ...key('a'), id: 1 } });
      await client.send(new DeleteTableCommand({ TableName }));
      expect((await client.send(new ListTablesCommand({}))).TableNames).toEqual([]);
    });
  });

  it('come back empty, without a time to live, under the same name', async () => {
    await useEmbedded({}, async ({ client, documents }, { endpoint }) => {
      const first = openTables(endpoint);
      const again = openTables(endpoint);
      const TableName = await first.create();
      await documents.put({ TableName, Item: { ...key('a'), id: 1 } });
      const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true };
      await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
      await client.send(new DeleteTableCommand({ TableName }));

      expect(await again.create()).toBe(TableName);
      expect((await documents.scan({ TableName })).Count).toBe(0);
      expect((await documents.scan({ TableName, IndexName: 'ById' })).Count).toBe(0);
      const { TimeToLiveDescription } = await client.send(
        new DescribeTimeToLiveCommand({ TableName }),
      );
      expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'DISABLED' });
      first.destroy();
      again.destroy();
    });
  });
});

describe('closing', () => {
  it('ends open connections and the process, at once', async () => {
    const script = `
      import { startEmbeddedDynamoDb } from './local/dynamodb/embedded-dynamodb.ts';
      import { openTables } from './test/engines/open-tables.ts';
      const running = await startEmbeddedDynamoDb({ path: ${JSON.stringify(directory)} });
      const tables = openTables(running.endpoint);
      const TableName = await tables.create();
      await Promise.all([1, 2, 3].map((n) =>
        tables.documents.put({ TableName, Item: { PK: 'a', SK: String(n) } })));
      const started = performance.now();
      process.on('exit', () => console.log(performance.now() - started));
      await Promise.all([running.close(), running.close()]);
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 120_000,
    });
    const lines = await Array.fromAsync(createInterface({ input: child.stdout }));
    expect(Number(lines[0])).toBeLessThan(1000);
  });

  it('finishes the writes under way', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const path = join(directory, 'data');
    const running = await startEmbeddedDynamoDb({ path });
    const tables = openTables(running.endpoint);
    const TableName = await tables.create();
    // Large enough to queue up.
    const writes = Array.from({ length: 40 }, (_, n) =>
      tables.documents
        .transactWrite({
          TransactItems: Array.from({ length: 100 }, (_, i) => ({
            Put: { TableName, Item: { ...key(`${n}-${i}`), id: n * 100 + i, n } },
          })),
        })
        .then(
          () => n,
          () => undefined,
        ),
    );
    await writes[0];
    await running.close();
    const acknowledged = (await Promise.all(writes)).filter((n) => n !== undefined);
    tables.destroy();
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();

    await useEmbedded({ path }, async ({ documents }) => {
      const { Items = [] } = await documents.scan({ TableName });
      const written = Map.groupBy(Items, ({ n }) => n);
      expect([...written.keys()]).toEqual(expect.arrayContaining(acknowledged));
      for (const items of written.values()) expect(items).toHaveLength(100);
      const byIndex = await documents.scan({ TableName, IndexName: 'ById' });
      expect(byIndex.Count).toBe(Items.length);
    });
  });
});

describe('closing a second time, or between two sweeps,', () => {
  it('leaves nothing running', async () => {
    const now = vi.fn(Date.now);
    const running = await startEmbeddedDynamoDb({ now, sweepSeconds: 0.001 });
    await expect.poll(() => now.mock.calls.length, { interval: 10 }).toBeGreaterThan(3);
    await running.close();
    await running.close();
    const sweeps = now.mock.calls.length;
    // Time for many more, if there were any.
    await delay(50);
    expect(now).toHaveBeenCalledTimes(sweeps);
  });
});

describe('a request that no client of DynamoDB sends', () => {
  const ask = (endpoint: string, headers: Record<string, string>, body = '{}', method = 'POST') =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = {
        method,
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': 'DynamoDB_20120810.ListTables',
          ...headers,
        },
      };
      request(endpoint, options, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end(body);
    });

  it('is refused: a page of another site, a rebound name, nonsense', async () => {
    await useEmbedded({}, async (_tables, { endpoint }) => {
      expect(await ask(endpoint, {})).toBe(200);
      expect(await ask(endpoint, { 'content-type': 'text/plain' })).toBe(404);
      expect(await ask(endpoint, { host: 'evil.example' })).toBe(403);
      expect(await ask(endpoint, {}, '', 'OPTIONS')).toBe(404);
      expect(await ask(endpoint, {}, '{')).toBe(400);
      expect(await ask(endpoint, {}, 'null')).toBe(400);
      expect(await ask(endpoint, { 'x-amz-target': 'DynamoDB_20120810.Nothing' })).toBe(400);
      expect(await ask(endpoint, {}, ' '.repeat(17 * 1024 * 1024))).toBe(413);
      expect(await ask(endpoint, {})).toBe(200);
    });
  });

  it('needs the key, if there is one', async () => {
    const backup = { 'x-amz-target': 'Slipway.Backup' };
    await useEmbedded({ key: 'secret' }, async ({ client }, { endpoint }) => {
      const bare = new URL(endpoint).origin;
      expect(endpoint).toBe(`${bare}/secret`);
      expect(await client.send(new ListTablesCommand({}))).toMatchObject({ TableNames: [] });
      for (const wrong of [bare, `${bare}/`, `${bare}/secreT`, `${bare}/x/secret`]) {
        expect(await ask(wrong, {})).toBe(403);
        expect(await ask(wrong, backup, '{"file":"x"}')).toBe(403);
      }
      expect(await ask(endpoint, backup)).toBe(400);
    });
    await useEmbedded({}, async (_tables, { endpoint }) => {
      expect(await ask(endpoint, backup, '{"file":"/tmp/x"}')).toBe(400);
    });
  });

  it('may break off in the middle', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await useEmbedded({}, async (_tables, { endpoint }) => {
      const headers = { 'content-type': 'application/x-amz-json-1.0', 'content-length': '100' };
      const broken = request(endpoint, { method: 'POST', headers });
      const closed = new Promise((resolve) =>
        broken.on('error', () => undefined).on('close', resolve),
      );
      broken.write('{', () => broken.destroy());
      await closed;
      expect(await ask(endpoint, {})).toBe(200);
    });
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
  });
});
