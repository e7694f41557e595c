import { describe, expect, it } from 'vitest';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';

const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

/** Work that ends when the test says so, and that remembers what has started. */
function openWork() {
  const begun: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<string>>();
  return {
    begun,
    work: (item: number) => {
      begun.push(item);
      const end = Promise.withResolvers<string>();
      ends.set(item, end);
      return end.promise;
    },
    async finish(item: number) {
      ends.get(item)?.resolve(`done ${item}`);
      await turn();
    },
    async fail(item: number, error: Error) {
      ends.get(item)?.reject(error);
      await turn();
    },
  };
}

/** Lets everything run that does not wait for the test. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('mapInParallel', () => {
  it('returns results in the order of the items, whichever is done first', async () => {
    const { work, finish } = openWork();
    const results = mapInParallel([1, 2, 3], 3, work);
    for (const item of [3, 1, 2]) await finish(item);
    expect(await results).toEqual(['done 1', 'done 2', 'done 3']);
  });

  it('runs at most so many at once, and starts another as soon as one is done', async () => {
    const { work, finish, begun } = openWork();
    const results = mapInParallel([1, 2, 3, 4], 2, work);
    expect(begun).toEqual([1, 2]);
    await finish(2);
    expect(begun).toEqual([1, 2, 3]);
    await finish(3);
    expect(begun).toEqual([1, 2, 3, 4]);
    await finish(4);
    await finish(1);
    expect(await results).toHaveLength(4);
  });

  it('does nothing without items', async () => {
    const { work, begun } = openWork();
    expect(await mapInParallel([], 2, work)).toEqual([]);
    expect(begun).toEqual([]);
  });

  it('processes the others if one fails, and then throws its error', async () => {
    const { work, finish, fail, begun } = openWork();
    const error = new Error('one');
    const failed = failureOf(mapInParallel([1, 2, 3], 1, work));
    await fail(1, error);
    await finish(2);
    expect(begun).toEqual([1, 2, 3]);
    await finish(3);
    expect(await failed).toBe(error);
  });

  it('throws several failures together', async () => {
    const { work, finish, fail } = openWork();
    const errors = [new Error('one'), new Error('three')];
    const failed = failureOf(mapInParallel([1, 2, 3], 3, work));
    await fail(1, errors[0]!);
    await finish(2);
    await fail(3, errors[1]!);
    const thrown = await failed;
    expect(thrown).toBeInstanceOf(AggregateError);
    expect(thrown).toMatchObject({ errors, message: '2 of 3 failed.' });
  });

  it('starts no more after a failure if told to stop, and throws the first', async () => {
    const { work, finish, fail, begun } = openWork();
    const errors = [new Error('two'), new Error('one')];
    let settled = false;
    const failed = failureOf(mapInParallel([1, 2, 3, 4, 5], 3, work, { stopAtFailure: true }));
    void failed.then(() => {
      settled = true;
    });
    await fail(2, errors[0]!);
    await fail(1, errors[1]!);
    expect(settled).toBe(false);
    await finish(3);
    expect(await failed).toBe(errors[0]);
    expect(begun).toEqual([1, 2, 3]);
  });

  it('returns all results if nothing fails', async () => {
    const { work, finish } = openWork();
    const results = mapInParallel([1, 2], 1, work, { stopAtFailure: true });
    for (const item of [1, 2]) await finish(item);
    expect(await results).toEqual(['done 1', 'done 2']);
  });
});
