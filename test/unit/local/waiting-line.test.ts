import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LineFullError, WaitingLine } from '#local/gateway/waiting-line.ts';

const limits = { atOnce: 2, longestWaitMs: 1000, mostBytes: 100 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Tasks that end when the test says so, in the order in which they began. */
function openLine(change: Partial<typeof limits> = {}) {
  const line = new WaitingLine({ ...limits, ...change });
  const begun: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  return {
    begun,
    enter(name: string, bytes = 1): Promise<unknown> {
      const outcome = line.run(bytes, () => {
        begun.push(name);
        const end = Promise.withResolvers<void>();
        ends.push(end);
        return end.promise;
      });
      outcome.catch(() => undefined);
      return outcome;
    },
    async endNext(afterMs = 0, error?: Error) {
      await vi.advanceTimersByTimeAsync(afterMs);
      const end = ends.shift();
      if (error) end?.reject(error);
      else end?.resolve();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

describe('the line before the functions', () => {
  it('lets so many in side by side, and the others in their order', async () => {
    const { enter, begun, endNext } = openLine();
    for (const name of ['a', 'b', 'c', 'd']) void enter(name);
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a', 'b']);
    await endNext();
    expect(begun).toEqual(['a', 'b', 'c']);
    await endNext(0, new Error('failed'));
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses at once whoever would wait too long, and says when to come back', async () => {
    const { enter, begun, endNext } = openLine();
    for (const name of ['a', 'b', 'c', 'd']) void enter(name);
    // Each takes a tenth of a second, so ten of them a second can wait.
    for (let ended = 0; ended < 100; ended += 1) {
      void enter(`next ${ended}`);
      await endNext(100);
    }
    const outcomes = Array.from({ length: 12 }, (_, n) => enter(`late ${n}`));
    const before = begun.length;
    await expect(outcomes.at(-1)).rejects.toThrow(LineFullError);
    await expect(outcomes.at(-1)).rejects.toMatchObject({ retryAfterSeconds: 2 });
    expect(begun).toHaveLength(before);
  });

  it('refuses nobody because the machine paused once', async () => {
    const { enter, endNext } = openLine();
    for (let entered = 0; entered < 60; entered += 1) void enter(`before ${entered}`);
    for (let ended = 0; ended < 20; ended += 1) await endNext(4);
    await endNext(900);
    const late = enter('late');
    for (let ended = 0; ended < 40; ended += 1) await endNext(0);
    await expect(late).resolves.toBeUndefined();
  });

  it('refuses whoever has waited too long after all, and lets nobody else lose the turn', async () => {
    const { enter, begun, endNext } = openLine();
    const names = ['a', 'b', 'c'];
    const [, , third] = names.map((name) => enter(name));
    await vi.advanceTimersByTimeAsync(999);
    const fourth = enter('d');
    await vi.advanceTimersByTimeAsync(1);
    await expect(third).rejects.toThrow(LineFullError);
    await endNext();
    await endNext();
    await endNext();
    await fourth;
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  it('holds no more bytes than it may', async () => {
    const { enter, endNext } = openLine();
    for (const name of ['a', 'b']) void enter(name, 1000);
    void enter('c', 60);
    await expect(enter('d', 60)).rejects.toThrow(LineFullError);
    await endNext();
    const waits = enter('e', 60);
    await endNext();
    await endNext();
    await endNext();
    await expect(waits).resolves.toBeUndefined();
  });
});
