import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SystemUnavailableError, TransferTooSlowError } from '#lib/hpc/errors.ts';
import { exchangeBytes } from '#lib/hpc/exchange-bytes.ts';

const megabyte = 1_000_000;

let server: Server | undefined;
afterEach(() => {
  vi.useRealTimers();
  server?.closeAllConnections();
  server?.close();
});

/** A system that takes what is sent in its own way, and answers then. */
async function serve(take: (upload: IncomingMessage) => Promise<unknown>, status = 200) {
  const listening = createServer((request, response) => {
    take(request).then(
      () => response.writeHead(status, { 'X-A': 'b', Location: '/elsewhere' }).end(),
      () => response.destroy(),
    );
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

async function readAll(upload: IncomingMessage): Promise<number> {
  let read = 0;
  for await (const piece of upload) read += piece.length;
  return read;
}

/** More than sockets hold: a part of it waits until the system takes it. */
const large = 40 * megabyte;

function send(url: string, limits: { bytesPerMs: number; longestMs: number }, timeoutSeconds = 5) {
  const piece = new Uint8Array(megabyte);
  const pieces = Array.from({ length: large / megabyte }, () => piece);
  const open = async () => ({ bytes: large, stream: ReadableStream.from<Uint8Array>(pieces) });
  const call = { url, method: 'PUT', body: { open }, timeoutSeconds } as const;
  return exchangeBytes(call, 'PUT system', limits).catch((error: unknown) => error);
}

const patient = { bytesPerMs: 1, longestMs: 60_000 };

describe('bytes on their way to a system', () => {
  it.each([200, 204, 307, 404, 432, 500])('are answered with %d', async (status) => {
    const answer = await send(await serve(readAll, status), patient);
    expect(answer).toMatchObject({ status });
    expect(answer).toHaveProperty('headers');
  });

  it('may come to a standstill for so long and no longer', async () => {
    const url = await serve(() => new Promise(() => undefined));
    expect(await send(url, patient, 0.2)).toMatchObject({
      name: 'SystemUnavailableError',
      message: 'PUT system: no answer within 0.2 s.',
    });
  });

  /** Stops the timers: time passes only as the system says, however slow the machine is. */
  const stopTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

  /** A tenth of a second for two megabytes: two seconds in all, and it never stands still. */
  const takeSlowly = async (upload: IncomingMessage) => {
    let taken = 0;
    for await (const piece of upload) {
      taken += piece.length;
      if (taken < 2 * megabyte) continue;
      vi.advanceTimersByTime(100);
      taken = 0;
    }
  };

  it.each([
    { why: 'for what they are', limits: { bytesPerMs: large / 200, longestMs: 60_000 }, wait: 1 },
    { why: 'whatever they are', limits: { bytesPerMs: 1, longestMs: 400 }, wait: 5 },
  ])('are given up where they take too long $why, and that is said apart', async (each) => {
    stopTimers();
    const url = await serve(takeSlowly);
    expect(await send(url, each.limits, each.wait)).toBeInstanceOf(TransferTooSlowError);
  });

  it('take longer than one answer may where they move', async () => {
    stopTimers();
    const url = await serve(takeSlowly);
    expect(await send(url, patient, 1.5)).toMatchObject({ status: 200 });
  });

  it('that were taken and are not answered are the fault of the system', async () => {
    stopTimers();
    const url = await serve(async (upload) => {
      await readAll(upload);
      vi.advanceTimersByTime(1_000);
      return new Promise(() => undefined);
    });
    const outcome = await send(url, { bytesPerMs: 1, longestMs: 1_000 });
    expect(outcome).toMatchObject({ message: 'PUT system: no answer in time.' });
    expect(outcome).toBeInstanceOf(SystemUnavailableError);
    expect(outcome).not.toBeInstanceOf(TransferTooSlowError);
  });

  it('are not sent where nobody listens, and what was opened is let go', async () => {
    let cancelled = 0;
    const open = async () => {
      const stream = new ReadableStream<Uint8Array>(
        {
          cancel() {
            cancelled += 1;
          },
        },
        { highWaterMark: 0 },
      );
      return { bytes: 1, stream };
    };
    const call = { url: 'http://127.0.0.1:1/', method: 'PUT', body: { open } } as const;
    await expect(exchangeBytes(call, 'PUT system')).rejects.toMatchObject({
      name: 'SystemUnavailableError',
      message: 'PUT system: ECONNREFUSED.',
    });
    expect(cancelled).toBe(1);
  });
});
