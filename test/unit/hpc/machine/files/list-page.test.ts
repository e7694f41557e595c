import { Dir, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { choosePage } from '#lib/files/results/job-file.ts';
import type { FilePage, PageWish } from '#lib/hpc/connector.ts';
import { listJobFiles } from '#lib/hpc/machine/files/list-files.ts';
import { listPage } from '#lib/hpc/machine/files/list-page.ts';

/** Makes the folder of a job with these files, each as long as its name. */
function makeFolder(paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'work'));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, 'work', path)), { recursive: true });
    writeFileSync(join(folder, 'work', path), path);
  }
  return folder;
}

/** Reads page after page, and returns the names on each. */
function readPages(list: (wish: PageWish) => FilePage, wish: PageWish): string[][] {
  const pages: string[][] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: FilePage = list({ ...wish, ...(after !== '' && { after }) });
    expect(page.files.length).toBeLessThanOrEqual(wish.limit);
    if (page.next !== undefined) expect(page.next > after).toBe(true);
    pages.push(page.files.map(({ name }) => name));
    after = page.next;
  }
  return pages;
}

const paths = [
  'a-b/1',
  'a.txt',
  'a/1',
  'a/b/2',
  'a/b/c/3',
  'a/b0',
  'a/é',
  'a/\uff5e.txt',
  'a/🧠',
  'b/only/deep/4',
  'c',
  'stdout',
  ...Array.from({ length: 30 }, (_, n) => `many/${n}`),
];

describe('a page of the files of a job', () => {
  it.each([1, 2, 3, 7, 40, 1000])('has all files once, in order, %i at a time', (limit) => {
    const folder = makeFolder(paths);
    for (const name of ['stdout', 'stderr']) writeFileSync(join(folder, name), 'printed');
    mkdirSync(join(folder, 'work/empty/er'), { recursive: true });
    const pages = readPages((wish) => listPage({ folder }, wish), { limit });
    const expected = paths.map((path) => (path === 'stdout' ? 'work/stdout' : path));
    const order = (one: string, other: string) => (keyOf(one) < keyOf(other) ? -1 : 1);
    expect(pages.flat()).toEqual(['stderr', 'stdout', ...expected.toSorted(order)]);
  });

  it.each([1, 2, 5, 1000])('of one folder has its files and folders, %i at a time', (limit) => {
    const folder = makeFolder(paths);
    const read = (inside: string) =>
      readPages((wish) => listPage({ folder }, wish), { folder: inside, limit }).flat();
    expect(read('a/')).toEqual(['a/1', 'a/b/', 'a/b0', 'a/é', 'a/🧠', 'a/～.txt']);
    expect(read('')).toEqual(['a-b/', 'a.txt', 'a/', 'b/', 'c', 'many/', 'work/stdout']);
    expect(read('a/b/c/')).toEqual(['a/b/c/3']);
  });

  it('has the names, lengths and ids of the whole list', () => {
    const folder = makeFolder(paths);
    const strip = ({ id, name, bytes }: FilePage['files'][number]) => ({ id, name, bytes });
    const { files } = listPage({ folder }, { limit: 1000 });
    const all = choosePage(listJobFiles(folder), { limit: 1000 }).files;
    const byName = (one: { name: string }, other: { name: string }) =>
      one.name < other.name ? -1 : 1;
    expect(files.map(strip).sort(byName)).toEqual(all.map(strip).sort(byName));
  });

  it.each(['../', 'a/../../', '/', '/etc/', 'link/', 'a', 'a//', './', 'none/', 'c/', 'a\0/'])(
    'of the folder %j is empty',
    (inside) => {
      const folder = makeFolder(paths);
      symlinkSync('/etc', join(folder, 'work/link'));
      expect(listPage({ folder }, { folder: inside, limit: 10 })).toEqual({
        files: [],
        next: undefined,
      });
    },
  );

  it('shows no links', () => {
    const folder = makeFolder(['a']);
    symlinkSync('/etc', join(folder, 'work/link'));
    symlinkSync('/etc/passwd', join(folder, 'work/passwd'));
    expect(readPages((wish) => listPage({ folder }, wish), { limit: 10 })).toEqual([['a']]);
  });

  it('ends when its time is over, and goes on there', () => {
    const folder = makeFolder(paths);
    let now = 0;
    const clock = () => {
      now += 1;
      return now;
    };
    const pages = readPages((wish) => listPage({ folder }, wish, clock, 2), { limit: 1000 });
    expect(pages.flat()).toHaveLength(paths.length);
    expect(pages.length).toBeGreaterThan(1);
  });

  it('has all that was read of a large folder, however long that took', () => {
    const folder = makeFolder(paths);
    let now = 0;
    const clock = () => {
      now += 1_000;
      return now;
    };
    const { files } = listPage({ folder }, { folder: 'many/', limit: 20 }, clock, 1);
    expect(files).toHaveLength(20);
    expect(listPage({ folder }, { after: 'c', limit: 20 }, clock, 1).files).toHaveLength(20);
  });

  it('closes its folders, and does not enter one that is done', () => {
    const folder = makeFolder(['a/1', 'a/2', 'b/3']);
    const read = vi.spyOn(Dir.prototype, 'readSync');
    const closed = vi.spyOn(Dir.prototype, 'closeSync');
    onTestFinished(() => {
      read.mockRestore();
      closed.mockRestore();
    });
    expect(listPage({ folder }, { after: 'a/\uffff', limit: 1 }).files).toMatchObject([
      { id: '~Yi8z' },
    ]);
    // The outermost folder with its end, and the one that has the page.
    expect(read).toHaveBeenCalledTimes(3 + 2);
    expect(closed).toHaveBeenCalledTimes(2);
  });
});

describe('a page of files that are all known', () => {
  it.each([1, 3, 1000])(
    'shows folders like that of a folder on the disk, %i at a time',
    (limit) => {
      const folder = makeFolder(paths);
      const known = listJobFiles(folder);
      for (const inside of ['', 'a/', 'a/b/']) {
        const wish = { folder: inside, limit };
        expect(
          readPages((each) => choosePage(known, each), wish)
            .flat()
            .toSorted(),
        ).toEqual(
          readPages((each) => listPage({ folder }, each), wish)
            .flat()
            .toSorted()
            .map((name) => (inside === '' && name === 'work/stdout' ? 'work/' : name)),
        );
      }
    },
  );
});

/** A file that is called like the output is listed by its path. */
function keyOf(name: string): string {
  return name === 'work/stdout' ? 'stdout' : name;
}
