import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createJobFolder } from '#lib/hpc/machine/record/job-folder.ts';
import { measureFiles } from '#local/shepherd/measure-output.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** A folder whose owner is not root, who could read everything. */
function makeJob(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
  onTestFinished(() => {
    if (isRoot) process.seteuid?.(0);
    rmSync(folder, { recursive: true });
  });
  if (isRoot) {
    chmodSync(folder, 0o777);
    process.seteuid?.(nobody);
  }
  createJobFolder(folder);
  return folder;
}

const bounds = { bytes: 1000, nameless: 0, isOver: false };

it.each([
  ['cannot be listed', 0o300],
  ['cannot be entered', 0o600],
])('tells of a folder that %s, and counts its files once the job is over', async (_, mode) => {
  const folder = makeJob();
  const closed = join(folder, 'work/closed');
  mkdirSync(closed);
  writeFileSync(join(closed, 'large'), 'x'.repeat(2000));
  chmodSync(closed, mode);
  const { unreadable, excess } = await measureFiles(folder, bounds);
  expect({ unreadable, excess }).toEqual({
    unreadable: expect.stringContaining('closed'),
    excess: undefined,
  });
  expect(await measureFiles(folder, { ...bounds, isOver: true })).toEqual({
    excess: 'The job wrote more than the 0 MB that its files may have.',
  });
});

it('counts files below names that are not UTF-8, and what has no name', async () => {
  const folder = makeJob();
  const odd = Buffer.concat([Buffer.from(join(folder, 'work/')), Buffer.from([0x61, 0xff])]);
  mkdirSync(odd);
  writeFileSync(Buffer.concat([odd, Buffer.from('/large')]), 'x'.repeat(600));
  expect(await measureFiles(folder, bounds)).toEqual({});
  expect(await measureFiles(folder, { ...bounds, bytes: 600 })).toHaveProperty('excess');
  expect(await measureFiles(folder, { ...bounds, nameless: 400 })).toHaveProperty('excess');
});
