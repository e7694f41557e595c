import { Dir, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ListingLimits, listJobFiles } from '#lib/hpc/machine/files/list-files.ts';

const wide: ListingLimits = { files: 1000, folders: 1000, entries: 1000 };

function makeFolder(): { folder: string; work: string } {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-listing-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const work = join(folder, 'work');
  mkdirSync(work);
  return { folder, work };
}

function fill(folder: string, count: number, nameOf = (n: number) => `part-${n}.txt`): void {
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n += 1) writeFileSync(join(folder, nameOf(n)), '');
}

/** Counts the entries that are read from folders, and the folders that are not closed again. */
function watchFolders() {
  const read = vi.spyOn(Dir.prototype, 'readSync');
  const closed = vi.spyOn(Dir.prototype, 'closeSync');
  onTestFinished(() => {
    read.mockRestore();
    closed.mockRestore();
  });
  return { read, closed };
}

describe('a listing of the files of a job', () => {
  it('reads a folder no further than the files that it shows', () => {
    const { folder, work } = makeFolder();
    fill(work, 400);
    const { read, closed } = watchFolders();
    const files = listJobFiles(folder, { ...wide, files: 25 });
    expect(files).toHaveLength(25);
    expect(read).toHaveBeenCalledTimes(25);
    expect(closed).toHaveBeenCalledOnce();
  });

  it('counts what it does not show', () => {
    const { folder, work } = makeFolder();
    for (let n = 0; n < 100; n += 1) symlinkSync('/etc/passwd', join(work, `link-${n}`));
    fill(work, 100, (n) => `bad\u0001-${n}`);
    const { read } = watchFolders();
    expect(listJobFiles(folder, { ...wide, entries: 50 })).toEqual([]);
    expect(read).toHaveBeenCalledTimes(51);
  });

  it('reads no more folders than its limit, and all limits hold together for all folders', () => {
    const { folder, work } = makeFolder();
    for (let n = 0; n < 30; n += 1) fill(join(work, `folder-${n}`), 10);
    expect(listJobFiles(folder, { ...wide, folders: 11 })).toHaveLength(100);
    expect(listJobFiles(folder, { ...wide, files: 45 })).toHaveLength(45);
    const { read, closed } = watchFolders();
    expect(listJobFiles(folder, { ...wide, entries: 65 })).toHaveLength(35);
    // The ends of the folders that are read to their ends, and the entry that is too many.
    expect(read).toHaveBeenCalledTimes(65 + 4 + 1);
    expect(closed).toHaveBeenCalledTimes(5);
  });

  it('always has the output of the command', () => {
    const { folder, work } = makeFolder();
    fill(work, 100);
    for (const name of ['stdout', 'stderr']) writeFileSync(join(folder, name), 'printed');
    expect(listJobFiles(folder, { ...wide, files: 2 })).toEqual([
      { id: 'stdout', name: 'stdout', bytes: 7 },
      { id: 'stderr', name: 'stderr', bytes: 7 },
    ]);
  });

  it('has limits, whoever asks', () => {
    const { folder, work } = makeFolder();
    fill(work, 1);
    for (let n = 0; n < 10_100; n += 1) linkSync(join(work, 'part-0.txt'), join(work, `link-${n}`));
    const { read } = watchFolders();
    expect(listJobFiles(folder)).toHaveLength(10_001);
    expect(read).toHaveBeenCalledTimes(10_001);
  });
});
