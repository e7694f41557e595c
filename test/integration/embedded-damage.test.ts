import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { useEmbedded } from '../engines/use-embedded.ts';

const count = 60;
const itemOf = (n: number) => ({ PK: 'USER#1', SK: `${n}`, text: 'x'.repeat(2000) });
const TableName = 'Table-1';

/** Copies of one database: when it was closed, and as kills left it, a moment and a page apart. */
const states = ['closed', 'killed', 'killed later', 'another'] as const;

let root: string;
let folder: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'embedded-damage-'));
  const path = join(root, 'original');
  const copyTo = (state: (typeof states)[number]) =>
    cpSync(path, join(root, state), { recursive: true });
  await useEmbedded({ path }, async ({ create, documents }) => {
    await create();
    for (let n = 0; n < count / 2; n += 1) await documents.put({ TableName, Item: itemOf(n) });
  });
  await useEmbedded({ path }, async ({ documents }) => {
    for (let n = count / 2; n < count - 1; n += 1)
      await documents.put({ TableName, Item: itemOf(n) });
    copyTo('killed');
    await documents.put({ TableName, Item: itemOf(count - 1) });
    copyTo('killed later');
  });
  copyTo('closed');
  await useEmbedded({ path: join(root, 'another source') }, async ({ create, documents }) => {
    await create();
    for (let n = 0; n < count; n += 1) await documents.put({ TableName, Item: itemOf(n) });
    cpSync(join(root, 'another source'), join(root, 'another'), { recursive: true });
  });
});
afterAll(() => rmSync(root, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(root, 'copy-'));
});

const take = (state: (typeof states)[number], ...files: string[]) => {
  if (files.length === 0) cpSync(join(root, state), folder, { recursive: true });
  for (const file of files) cpSync(join(root, state, file), join(folder, file));
};
const at = (file: string) => join(folder, file);
const change = (file: string, place: number, length = 40) => {
  const bytes = readFileSync(at(file));
  for (let i = place; i < place + length; i += 1) bytes[i] = (bytes[i] ?? 0) ^ 0x55;
  writeFileSync(at(file), bytes);
};

/** How the damage is told, or how many items are found. */
async function open(): Promise<string | number> {
  const before = snapshot();
  const running = await startEmbeddedDynamoDb({ path: folder }).catch((error: Error) => {
    // Whoever wants to rescue something finds it as it was.
    expect(snapshot()).toEqual(before);
    return error.message.replace(folder, 'FOLDER');
  });
  if (typeof running === 'string') return running;
  await running.close();
  let found = 0;
  await useEmbedded({ path: folder }, async ({ documents }) => {
    found = (await documents.scan({ TableName })).Items?.length ?? 0;
  });
  return found;
}

/** What the folder holds. Whoever only reads may leave an empty log, and the index of one. */
function snapshot(): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
  const contents = names.map((name) => [name, readFileSync(at(name))] as const);
  const full = contents.filter(([, { length }]) => length > 0);
  return Object.fromEntries(full.map(([name, bytes]) => [name, `${bytes.length} ${crc32(bytes)}`]));
}

const told = (reason: string) =>
  `The database in FOLDER is damaged (${reason}). What to do is in docs/restore.md, "A damaged data folder".`;

describe('a database that was closed', () => {
  it('is opened with all that it had', async () => {
    take('closed');
    expect(await open()).toBe(count);
  });

  it('is refused if a single byte of a page differs', async () => {
    take('closed');
    const pages = statSync(at('table.sqlite')).size / 4096;
    for (let page = 1; page <= pages; page += 6) {
      take('closed');
      // Behind the header of the file, which SQLite itself looks at.
      change('table.sqlite', (page - 1) * 4096 + 2500, 1);
      expect(await open()).toBe(told(`page ${page} of table.sqlite is not as it was written`));
    }
  });

  it('is refused without its main file', async () => {
    take('closed');
    rmSync(at('table.sqlite'));
    expect(await open()).toBe(told('table.sqlite is empty or missing beside its table.seal'));
  });

  it('is refused beside a log', async () => {
    take('closed');
    take('another', 'table.sqlite-wal');
    expect(await open()).toBe(told('table.sqlite-wal is not the log of this database'));
  });

  it('is refused if its main file was put back from an earlier copy alone', async () => {
    take('closed');
    take('killed', 'table.sqlite');
    expect(await open()).toMatch(/^The database in FOLDER is damaged/);
  });

  it('is read through and sealed anew without its seal', async () => {
    take('closed');
    rmSync(at('table.seal'));
    expect(await open()).toBe(count);
    expect(readdirSync(folder)).toEqual(['table.seal', 'table.sqlite']);
  });

  it('is refused with a seal that cannot be read', async () => {
    take('closed');
    change('table.seal', 0);
    expect(await open()).toBe(told('table.seal cannot be read'));
  });
});

describe('a database that is open', () => {
  const line = () =>
    `The database in ${folder} is damaged (table.sqlite was changed or removed by something else). From now on every change is refused with 503. Stop the service. What to do is in docs/restore.md, "A damaged data folder".`;

  it('is used on if its file was touched', async () => {
    take('closed');
    await useEmbedded({ path: folder }, async ({ documents }, { figures }) => {
      utimesSync(at('table.sqlite'), 1, 1);
      expect(figures.canWrite()).toBe(true);
      await documents.put({ TableName, Item: itemOf(count) });
    });
    expect(await open()).toBe(count + 1);
  });

  it('is written to no more once something else has changed its file', async () => {
    take('closed');
    const lines = vi.spyOn(console, 'error').mockReturnValue(undefined);
    onTestFinished(() => lines.mockRestore());
    await useEmbedded({ path: folder }, async ({ documents }, { figures }) => {
      change('table.sqlite', 5 * 4096 + 2500, 1);
      expect(figures.canWrite()).toBe(false);
      const put = documents.put({ TableName, Item: itemOf(count) });
      await expect(put).rejects.toMatchObject({ name: 'InternalServerError' });
    });
    expect(lines.mock.calls).toEqual([[line()]]);
  });
});

describe('a database whose process was killed', () => {
  it('is opened with all that was committed', async () => {
    take('killed later');
    expect(await open()).toBe(count);
  });

  it('is refused without its log', async () => {
    take('killed later');
    rmSync(at('table.sqlite-wal'));
    expect(await open()).toMatch(
      /damaged \(table.sqlite-wal lacks (\d+) of \1 pages that were committed to it\)/,
    );
  });

  it('is refused if the log lacks its last commit, or holds one that is damaged', async () => {
    take('killed later');
    const bytes = statSync(at('table.sqlite-wal')).size;
    take('killed', 'table.sqlite-wal');
    expect(await open()).toMatch(/table.sqlite-wal lacks \d+ of \d+ pages/);
    take('killed later');
    change('table.sqlite-wal', Math.floor(bytes / 2));
    expect(await open()).toMatch(/table.sqlite-wal lacks \d+ of \d+ pages/);
    take('killed later');
    truncateSync(at('table.sqlite-wal'), bytes - 1);
    expect(await open()).toMatch(/table.sqlite-wal lacks \d+ of \d+ pages/);
  });

  it('is opened if something behind the last commit is torn', async () => {
    take('killed later');
    writeFileSync(at('table.sqlite-wal'), Buffer.alloc(5000, 1), { flag: 'a' });
    expect(await open()).toBe(count);
  });

  it('is refused beside the log of another database', async () => {
    take('killed later');
    take('another', 'table.sqlite-wal');
    expect(await open()).toBe(told('table.sqlite-wal is not the log of this database'));
  });

  it('is refused if a page differs that is not in the log', async () => {
    take('killed later');
    const pages = statSync(at('table.sqlite')).size / 4096;
    let refused = 0;
    for (let page = 1; page <= pages; page += 3) {
      take('killed later');
      change('table.sqlite', (page - 1) * 4096 + 2500);
      const outcome = await open();
      refused += outcome === count ? 0 : 1;
      // A page that is in the log is written to the main file again, whatever is there.
      expect([count, told(`page ${page} of table.sqlite is not as it was written`)]).toContain(
        outcome,
      );
    }
    expect(refused).toBeGreaterThan(5);
  });

  it('is opened with a line after a restart of the machine that took its last commits', async () => {
    take('killed later');
    const seal = readFileSync(at('table.seal'), 'latin1');
    const boot = /"boot":"([^"]+)"/.exec(seal)?.[1] ?? '';
    writeFileSync(at('table.seal'), seal.replace(boot, boot.replaceAll(/\w/g, '0')), 'latin1');
    take('killed', 'table.sqlite-wal');
    const lines = vi.spyOn(console, 'error').mockReturnValue(undefined);
    expect(await open()).toBe(count - 1);
    expect(lines.mock.calls.flat()).toEqual([
      expect.stringMatching(
        /^The machine was restarted while Slipway was running, and its last changes were lost: table.sqlite-wal lacks \d+ of \d+ pages that were committed to it\.$/,
      ),
    ]);
    lines.mockRestore();
  });
});
