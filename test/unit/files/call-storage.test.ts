import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { announcedBytes, callStorage, retryPolicy } from '#lib/files/storage/call-storage.ts';

const policy = { ...retryPolicy, tries: 1, answerMs: 4_000 };
const build = async (method = 'GET') => new Request('https://storage.test/a', { method });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A storage that starts and ends its response when told to, unless the caller hung up. */
function openStorage() {
  const begun = Promise.withResolvers<Response>();
  let signal: AbortSignal | null | undefined;
  vi.spyOn(globalThis, 'fetch').mockImplementation((_request, init) => {
    signal = init?.signal;
    signal?.addEventListener('abort', () => begun.reject(new DOMException('', 'AbortError')));
    return begun.promise;
  });
  return {
    isHungUp: () => signal?.aborted,
    begin(length: number) {
      let end = () => undefined;
      const body = new ReadableStream({
        start(controller) {
          signal?.addEventListener('abort', () => controller.error(signal?.reason));
          end = () => void controller.close();
        },
      });
      begun.resolve(new Response(body, { headers: { 'content-length': String(length) } }));
      return () => end();
    },
  };
}

describe('a call to the storage', () => {
  it.each([
    { bytes: 0, ms: 4_000 },
    { bytes: 2_000_000, ms: 6_000 },
  ])('that sends $bytes bytes waits $ms ms for its response to start', async ({ bytes, ms }) => {
    const storage = openStorage();
    const call = callStorage(build, bytes, policy).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(storage.isHungUp()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(storage.isHungUp()).toBe(true);
    expect(await call).toBeInstanceOf(StorageUnavailableError);
    expect(await call).toMatchObject({ cause: { message: 'GET: no answer in time' } });
  });

  it('limits the response from the moment it starts', async () => {
    const storage = openStorage();
    const call = callStorage(build, 0, policy).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(3_999);
    storage.begin(3_000_000);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(storage.isHungUp()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toMatchObject({ cause: { message: 'GET: no answer in time' } });
  });

  it('leaves no timer behind', async () => {
    const storage = openStorage();
    const call = callStorage(build, 0, policy);
    await vi.advanceTimersByTimeAsync(1);
    const end = storage.begin(10);
    await vi.advanceTimersByTimeAsync(1);
    end();
    await expect(call).resolves.toMatchObject({ status: 200 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([429, 500, 502, 503, 504])(
    'is retried after the status %i, and says so',
    async (status) => {
      vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status }));
      const call = callStorage(() => build('DELETE'), 0, policy);
      await expect(call).rejects.toMatchObject({ cause: { message: `DELETE: HTTP ${status}` } });
    },
  );

  it.each([200, 400, 403, 404, 501])('accepts the status %i as a response', async (status) => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('a', { status }));
    expect(await callStorage(build, 0, policy)).toMatchObject({
      status,
      body: new TextEncoder().encode('a'),
    });
  });

  it('says that it failed if no cause is known', async () => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(
      new TypeError('at https://storage.test/?secret'),
    );
    const call = callStorage(build, 0, policy);
    await expect(call).rejects.toMatchObject({ cause: { message: 'GET: the call failed' } });
  });

  it('is retried until its budget ends, and not after', async () => {
    const fetched = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => new Response(null, { status: 503 }));
    let now = 1_000;
    const waiting = {
      ...retryPolicy,
      tries: 9,
      budgetMs: 300,
      baseMs: 50,
      random: () => 1,
      now: () => now,
      wait: async (ms: number) => {
        now += ms;
      },
    };
    await expect(callStorage(build, 0, waiting)).rejects.toThrow(StorageUnavailableError);
    // Pauses of 100 and 200 ms use up the budget exactly. One of 400 ms exceeds it.
    expect(fetched).toHaveBeenCalledTimes(3);
    expect(now).toBe(1_300);
  });
});

describe('announcedBytes', () => {
  it('is 0 if nothing is announced', () => {
    expect(announcedBytes(new Headers())).toBe(0);
    expect(announcedBytes(new Headers({ 'content-length': '12' }))).toBe(12);
  });
});
