import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { rebuildDatabase } from '#local/dynamodb/replica/rebuild.ts';
import {
  type FencedError,
  raiseFence,
  readAlive,
  readOwner,
} from '#local/dynamodb/replica/replica-folder.ts';
import { openTables } from '../engines/open-tables.ts';
import { useEmbedded } from '../engines/use-embedded.ts';

const TableName = 'Table-1';
const itemOf = (n: number, text = 'x'.repeat(3000)) => ({ PK: `USER#${n % 7}`, SK: `${n}`, text });

function openFolders() {
  const root = mkdtempSync(join(tmpdir(), 'slipway-replica-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return { root, path: join(root, 'table'), place: join(root, 'replica') };
}

/** A table with a replica, which is closed when the test ends. */
async function openReplicated({ path, place }: { path: string; place: string }, logBytes?: number) {
  const onFenced = vi.fn<(error: FencedError) => void>();
  const running = await startEmbeddedDynamoDb({ path, replica: { place, onFenced, logBytes } });
  const tables = openTables(running.endpoint);
  const close = vi.fn(async () => {
    tables.destroy();
    await running.close();
  });
  onTestFinished(async () => {
    if (close.mock.calls.length === 0) await close();
  });
  return { ...tables, onFenced, close, waitForCopy: running.waitForCopy };
}

/** Waits until everything that was written before this call is in the replica. */
async function waitForReplica(place: string): Promise<void> {
  const asked = Date.now();
  await vi.waitUntil(async () => Date.parse((await readAlive(place))?.time ?? '') > asked, {
    timeout: 30_000,
    interval: 20,
  });
}

let restores = 0;

/** All items of the table that the replica holds. */
async function readReplica(place: string): Promise<Record<string, unknown>[]> {
  restores += 1;
  const path = join(place, '..', `restored-${restores}`);
  await rebuildDatabase(place, path);
  let found: Record<string, unknown>[] = [];
  await useEmbedded({ path }, async ({ documents }) => {
    found = await listItems(documents);
  });
  return found;
}

type Documents = ReturnType<typeof openTables>['documents'];

async function listItems(documents: Documents): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await documents.scan({ TableName, ExclusiveStartKey });
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

const filesIn = (place: string) => {
  const [generation = ''] = readdirSync(place).filter((name) => /^\d{6}-/.test(name));
  const folder = join(place, generation);
  return { folder, names: readdirSync(folder).sort() };
};

it('has every commit, though logs restart and pages change while the base is copied', async () => {
  const folders = openFolders();
  const { create, documents, close } = await openReplicated(folders);
  await create();
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 600; n += 20) {
      const writes = Array.from({ length: 20 }, (_, at) => itemOf(n + at, `${round}`.repeat(2500)));
      await Promise.all(writes.map((Item) => documents.put({ TableName, Item })));
    }
  }
  await waitForReplica(folders.place);
  expect(
    filesIn(folders.place).names.filter((name) => name.endsWith('.wal')).length,
  ).toBeGreaterThan(1);
  const written = await listItems(documents);
  expect(written).toHaveLength(600);
  expect(await readReplica(folders.place)).toEqual(written);
  await documents.put({ TableName, Item: itemOf(600) });
  await close();
  expect(await readReplica(folders.place)).toHaveLength(601);
});

it('replaces its base when the logs are longer, and follows the next process too', async () => {
  const folders = openFolders();
  const first = await openReplicated(folders, 4_000_000);
  await first.create();
  for (let n = 0; n < 600; n += 1)
    await first.documents.put({ TableName, Item: itemOf(n % 50, `${n}`.repeat(12_000)) });
  await waitForReplica(folders.place);
  const { names } = filesIn(folders.place);
  const bases = names.filter((name) => name.endsWith('.base'));
  expect(bases).toHaveLength(1);
  expect(bases).not.toEqual(['000000001.base']);
  expect(names.some((name) => name.startsWith('000000001.'))).toBe(false);
  await first.close();
  const second = await openReplicated(folders);
  await second.documents.put({ TableName, Item: itemOf(50) });
  await waitForReplica(folders.place);
  expect(readdirSync(folders.place).filter((name) => /^\d{6}-/.test(name))).toHaveLength(1);
  expect(await readReplica(folders.place)).toEqual(await listItems(second.documents));
});

it('is a whole number of commits, wherever its last log is cut off', async () => {
  const folders = openFolders();
  const { create, documents, close } = await openReplicated(folders);
  await create();
  for (let n = 0; n < 40; n += 1) await documents.put({ TableName, Item: itemOf(n) });
  await close();
  const { folder, names } = filesIn(folders.place);
  const log = join(folder, names.filter((name) => name.endsWith('.wal')).at(-1) ?? '');
  const needed = JSON.parse(readFileSync(join(folder, '000000001.base.json'), 'utf8')).through
    .bytes;
  // As if the process was killed before it said how far it got.
  rmSync(join(folders.place, 'alive.json'));
  const whole = readFileSync(log);
  let before = 41;
  for (let length = whole.length; length >= needed; length -= 20_011) {
    writeFileSync(log, whole.subarray(0, length));
    const items = await readReplica(folders.place);
    expect(items.length).toBeLessThanOrEqual(before);
    const numbers = items.map(({ SK }) => Number(SK)).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from(items, (_, n) => n));
    before = items.length;
  }
  expect(before).toBeLessThan(30);
  truncateSync(log, needed - 1);
  await expect(readReplica(folders.place)).rejects.toThrow('lacks logs that were written to it');
});

const flipByte = (file: string) => {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(file, bytes);
};

it('is refused if its base differs by a bit, or a log by a bit or its length', async () => {
  const folders = openFolders();
  const { create, documents, close } = await openReplicated(folders);
  await create();
  for (let n = 0; n < 700; n += 1) await documents.put({ TableName, Item: itemOf(n) });
  await close();
  const { folder, names } = filesIn(folders.place);
  const find = (pattern: RegExp) => join(folder, names.find((name) => pattern.test(name)) ?? '');
  const [base, log] = [find(/\.base$/), find(/0001\.after/)];
  flipByte(base);
  await expect(readReplica(folders.place)).rejects.toThrow('base is not as it was written');
  flipByte(base);
  flipByte(log);
  await expect(readReplica(folders.place)).rejects.toThrow('does not follow the log before it');
  flipByte(log);
  expect(await readReplica(folders.place)).toHaveLength(700);
  truncateSync(log, statSync(log).size - 4120);
  await expect(readReplica(folders.place)).rejects.toThrow('does not follow the log before it');
});

it('tells a service that runs when another machine takes over, and refuses its data then', async () => {
  const folders = openFolders();
  const { create, onFenced, close } = await openReplicated(folders);
  await create();
  await waitForReplica(folders.place);
  expect(onFenced).not.toHaveBeenCalled();
  const owner = await readOwner(folders.place);
  if (!owner) throw new Error('The replica has no owner.');
  await raiseFence(folders.place, owner);
  await vi.waitUntil(() => onFenced.mock.calls.length > 0, { timeout: 10_000 });
  expect(onFenced.mock.calls[0]?.[0].message).toContain('has taken over this service');
  await close();
  await expect(openReplicated(folders)).rejects.toThrow('has taken over this service');
});

it('is not begun in a folder that lost it, nor in one of other data', async () => {
  const folders = openFolders();
  const { create, close } = await openReplicated(folders);
  await create();
  await close();
  const unmounted = { ...folders, place: join(folders.root, 'unmounted') };
  await expect(openReplicated(unmounted)).rejects.toThrow('Is it mounted?');
  const restored = { ...folders, path: join(folders.root, 'other') };
  await expect(openReplicated(restored)).rejects.toThrow('holds the replica of other data');
});

it('has what an answer waited for, and is not waited for when its folder is away', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const folders = openFolders();
  const { create, documents, waitForCopy } = await openReplicated(folders);
  await create();
  await waitForReplica(folders.place);
  for (let n = 0; n < 5; n += 1) {
    await documents.put({ TableName, Item: itemOf(n) });
    await waitForCopy();
    expect(await readReplica(folders.place)).toHaveLength(n + 1);
  }
  renameSync(folders.place, `${folders.place}-away`);
  await documents.put({ TableName, Item: itemOf(5) });
  await waitForCopy();
  expect(vi.mocked(console.error).mock.calls[0]?.[0]).toContain('Is it mounted?');
});

it('goes on where it was when its folder comes back', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const folders = openFolders();
  const { create, documents } = await openReplicated(folders);
  await create();
  await waitForReplica(folders.place);
  const away = `${folders.place}-away`;
  renameSync(folders.place, away);
  for (let n = 0; n < 700; n += 1) await documents.put({ TableName, Item: itemOf(n) });
  await vi.waitUntil(() => vi.mocked(console.error).mock.calls.length > 0, { timeout: 10_000 });
  expect(vi.mocked(console.error).mock.calls[0]?.[0]).toContain('Is it mounted?');
  cpSync(away, folders.place, { recursive: true });
  await waitForReplica(folders.place);
  expect(await readReplica(folders.place)).toHaveLength(700);
});
