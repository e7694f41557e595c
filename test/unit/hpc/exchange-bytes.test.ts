import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callUpstream } from '#lib/hpc/call-upstream.ts';
import { SystemUnavailableError, TransferTooSlowError } from '#lib/hpc/errors.ts';

const megabyte = new Uint8Array(1_000_000);

/** So many megabytes, one at a time. */
function createSource(megabytes: number) {
  const pieces = Array.from({ length: megabytes }, () => megabyte);
  return {
    open: async () => ({
      bytes: megabytes * megabyte.length,
      stream: ReadableStream.from<Uint8Array>(pieces),
    }),
  };
}

/** A system that takes a piece, then pauses; its answer comes, or does not. */
function takeSlowly(pauseMs: number, answers: boolean) {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    const gone = new Promise<never>((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    });
    gone.catch(() => undefined);
    const reader = init?.body instanceof ReadableStream ? init.body.getReader() : undefined;
    while (!(await reader?.read())?.done) {
      await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, pauseMs))]);
    }
    return answers ? new Response('') : gone;
  });
}

async function send(megabytes: number): Promise<{ outcome: unknown; seconds: number }> {
  const began = Date.now();
  const call = callUpstream({
    url: 'https://hpc.test/',
    method: 'PUT',
    body: createSource(megabytes),
  });
  const ended = call.then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  for (let waits = 0; waits < 400; waits += 1) await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  const outcome = await ended;
  return { outcome, seconds: Date.now() - began };
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('bytes on their way to a system', () => {
  it('have a second for each megabyte beside the time of the call', async () => {
    takeSlowly(1_900, true);
    expect((await send(20)).outcome).toBe(200);
  });

  it('are given up where they take longer than that, and that is said apart', async () => {
    takeSlowly(2_300, true);
    expect((await send(20)).outcome).toBeInstanceOf(TransferTooSlowError);
  });

  it('have four minutes at most, however many they are', async () => {
    takeSlowly(1_000, true);
    expect((await send(239)).outcome).toBe(200);
    vi.useFakeTimers({ now: 0 });
    takeSlowly(1_000, true);
    expect((await send(241)).outcome).toBeInstanceOf(TransferTooSlowError);
  });

  it('may not stand still for as long as an answer may take', async () => {
    takeSlowly(19_900, true);
    expect((await send(1)).outcome).toBe(200);
    vi.useFakeTimers({ now: 0 });
    takeSlowly(20_100, true);
    expect((await send(100)).outcome).toMatchObject({
      name: 'SystemUnavailableError',
      message: 'PUT hpc.test: no answer within 20 s.',
    });
  });

  it('that were taken and are not answered are the fault of the system', async () => {
    takeSlowly(1, false);
    const { outcome } = await send(3);
    expect(outcome).toMatchObject({ message: 'PUT hpc.test: no answer in time.' });
    expect(outcome).toBeInstanceOf(SystemUnavailableError);
    expect(outcome).not.toBeInstanceOf(TransferTooSlowError);
  });
});
