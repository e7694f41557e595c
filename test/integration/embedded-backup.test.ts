import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#local/dynamodb/store/open-database.ts';

it('copies a database whose transaction is open when the copy begins', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = openDatabase({ path: join(folder, 'data') });
  onTestFinished(() => database.close());
  const copy = join(folder, 'copy.sqlite');
  database.execute('BEGIN IMMEDIATE');
  database.run("INSERT INTO stream_readers VALUES ('reader', 42)");
  const copied = database.backUp(copy);
  // The first steps meet the open transaction.
  await Promise.race([copied, delay(50)]);
  database.execute('COMMIT');
  expect(await copied).toBeGreaterThan(0);
  const opened = new DatabaseSync(copy, { readOnly: true });
  onTestFinished(() => opened.close());
  expect(opened.prepare('SELECT position FROM stream_readers').all()).toEqual([{ position: 42 }]);
});
