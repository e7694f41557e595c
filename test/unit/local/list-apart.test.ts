import { Dir, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { FilePage, RemoteFile } from '#lib/hpc/connector.ts';
import { SystemBusyError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { openListings } from '#local/list-apart.ts';
import { userId } from '#test/fixtures/names.ts';

const file: RemoteFile = { id: 'a', name: 'a', bytes: 1 };
const userIds: Readonly<Record<string, UserId>> = {
  ada: userId('1'),
  bob: userId('2'),
  eve: userId('3'),
};

/** Threads that answer when they are told to. */
function openScene() {
  const asked: string[] = [];
  const answers: { resolve(files: RemoteFile[]): void; reject(error: Error): void }[] = [];
  const threads: { stopped: boolean }[] = [];
  const listings = openListings(() => {
    const thread = { stopped: false };
    threads.push(thread);
    return {
      ask({ folder }) {
        const { promise, resolve, reject } = Promise.withResolvers<FilePage>();
        const place = (each: RemoteFile) => ({ ...each, position: each.name });
        asked.push(folder);
        answers.push({
          resolve: (files) => resolve({ files: files.map(place), next: undefined }),
          reject,
        });
        return promise;
      },
      stop: () => {
        thread.stopped = true;
      },
    };
  });
  /** Answers the listings as they come, until `count` of them were asked for. */
  async function answerAll(count: number) {
    for (let n = 0; n < count; n += 1) {
      await vi.waitUntil(() => answers.length > n, { interval: 1 });
      answers[n]?.resolve([file]);
    }
  }
  const list = async (owner: string, folder: string) =>
    (await listings.listFiles(userIds[owner] ?? userId('1'), folder)).map(
      ({ id, name, bytes }) => ({
        id,
        name,
        bytes,
      }),
    );
  return { list, asked, answers, threads, answerAll };
}

describe('a listing of files', () => {
  afterEach(() => vi.useRealTimers());

  it('is made by another thread', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-listing-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'work/deep'), { recursive: true });
    writeFileSync(join(folder, 'work/deep/a.txt'), 'found');
    const readHere = vi.spyOn(Dir.prototype, 'readSync');
    onTestFinished(() => readHere.mockRestore());
    const { listFiles, listPage } = openListings();
    const owner = userId('1');
    const [found, gone, page] = await Promise.all([
      listFiles(owner, folder),
      listFiles(owner, join(folder, 'gone')),
      listPage(owner, { folder }, { limit: 1 }),
    ]);
    const deep = { id: '~ZGVlcC9hLnR4dA', name: 'deep/a.txt', bytes: 5 };
    expect(found).toMatchObject([deep]);
    expect(gone).toEqual([]);
    expect(page.files).toMatchObject([deep]);
    expect(readHere).not.toHaveBeenCalled();
  });

  it('waits for one of each other user, not for all of somebody', async () => {
    const { list, asked, answerAll, threads } = openScene();
    const hostile = ['1', '2', '3', '4'].map((n) => list('eve', `eve-${n}`));
    const others = [list('ada', 'ada-1'), list('bob', 'bob-1')];
    await answerAll(6);
    expect(await Promise.all([...hostile, ...others])).toEqual(Array(6).fill([file]));
    expect(asked).toEqual(['eve-1', 'ada-1', 'bob-1', 'eve-2', 'eve-3', 'eve-4']);
    expect(threads).toEqual([{ stopped: false }]);
  });

  it('is refused beyond the line of its user, and others are not', async () => {
    const { list, answerAll } = openScene();
    const listings = Array.from({ length: 40 }, (_, n) => list('eve', `eve-${n}`));
    const other = list('ada', 'ada');
    const outcomes = Promise.allSettled(listings);
    await answerAll(18);
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(40 - 17);
    expect(refused[0]).toMatchObject({ reason: { retryAfterSeconds: 2 } });
    expect(await other).toEqual([file]);
  });

  it('lets others go first for a while if it took long', async () => {
    vi.useFakeTimers();
    const { list, asked, answers } = openScene();
    const listings = ['1', '2'].map((n) => list('eve', `eve-${n}`));
    await vi.advanceTimersByTimeAsync(100);
    answers[0]?.resolve([file]);
    expect(await listings[0]).toEqual([file]);
    await vi.advanceTimersByTimeAsync(299);
    expect(asked).toEqual(['eve-1']);
    const other = list('ada', 'ada-1');
    await vi.advanceTimersByTimeAsync(0);
    answers[1]?.resolve([]);
    expect(await other).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(asked).toEqual(['eve-1', 'ada-1', 'eve-2']);
    answers[2]?.resolve([]);
    expect(await listings[1]).toEqual([]);
  });

  it('is given up if the thread does not answer, which is replaced', async () => {
    vi.useFakeTimers();
    const { list, answers, threads } = openScene();
    const stuck = expect(list('ada', 'stuck')).rejects.toThrow(SystemBusyError);
    const tooLate = expect(list('ada', 'too late')).rejects.toThrow(SystemBusyError);
    await vi.advanceTimersByTimeAsync(3_000);
    const next = list('bob', 'next');
    await vi.advanceTimersByTimeAsync(2_100);
    await stuck;
    answers[1]?.resolve([file]);
    expect(await next).toEqual([file]);
    await tooLate;
    expect(threads).toEqual([{ stopped: true }, { stopped: false }]);
    expect(answers).toHaveLength(2);
  });

  it('fails alone if the thread fails', async () => {
    const { list, answers, threads } = openScene();
    const failing = list('ada', 'failing');
    const next = list('ada', 'next');
    answers[0]?.reject(new SystemUnavailableError('broken'));
    await expect(failing).rejects.toThrow('broken');
    await vi.waitUntil(() => answers.length === 2, { interval: 1 });
    answers[1]?.resolve([]);
    expect(await next).toEqual([]);
    expect(threads).toHaveLength(2);
  });
});
