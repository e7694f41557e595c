import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '#local/dynamodb/store/open-database.ts';
import { takeOver } from '#local/take-over.ts';

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-take-over-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'dynamodb');
}

it('waits for the data that another service still uses, and says so', async () => {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => printed.mockRestore());
  const path = openFolder();
  const former = openDatabase({ path });
  const next = takeOver({ keptSocket: 3 }, async () => openDatabase({ path }));
  await expect
    .poll(() => printed.mock.calls.flat())
    .toEqual(['Waiting for the service that still uses the data.\n']);
  former.close();
  (await next).close();
});

it('refuses at once without a socket, or for another reason', async () => {
  const path = openFolder();
  const former = openDatabase({ path });
  onTestFinished(() => former.close());
  const open = async () => openDatabase({ path });
  await expect(takeOver({}, open)).rejects.toThrow('already in use');
  const fail = async () => {
    throw new Error('It is damaged.');
  };
  await expect(takeOver({ keptSocket: 3 }, fail)).rejects.toThrow('It is damaged.');
});
