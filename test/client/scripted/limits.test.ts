import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ServiceUnreachable } from '../../../client/src/index.ts';
import { createClient, type Settings } from '../../../client/src/node/index.ts';
import { startServer } from '../fixtures/http-server.ts';
import { job, refuse, scriptClient } from '../fixtures/scripted-client.ts';

const file = { hpc: 'hpc_one', project_name: 'p', job_id: 'A', file_id: 'stdout' };
const submission = { hpc: 'hpc_one', command: 'ls', nodes: 1, cores: 1, runtime: 1 };

async function connect(listener: RequestListener, settings: Partial<Settings> = {}) {
  const baseUrl = await startServer(listener);
  const limits = { timeout: 200, retries: 0, pause: async () => undefined };
  return createClient({ baseUrl, token: 'a token', ...limits, ...settings });
}

afterEach(() => void vi.useRealTimers());

/** A fetch without an answer, until its signal ends it. */
function waitInVain(init: RequestInit = {}): Promise<Response> {
  return new Promise((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });
}

/** A body that takes half a minute for each of its pieces. */
function sendSlowly(pieces: number): ReadableStream<Uint8Array> {
  let left = pieces;
  return new ReadableStream({
    async pull(controller) {
      if (left === 0) return controller.close();
      await new Promise((resolve) => setTimeout(resolve, 29_000));
      left -= 1;
      controller.enqueue(Buffer.from('piece '));
    },
  });
}

/** The reason that an error names in the end. */
async function reasonOf(attempt: Promise<unknown>): Promise<unknown> {
  const error: unknown = await attempt.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String(error);
}

describe('a service that does not respond', () => {
  it('times out after one try', async () => {
    const client = await connect(() => undefined);
    const failure = client.readStatus();
    await expect(failure).rejects.toThrow(ServiceUnreachable);
    expect(await reasonOf(failure)).toBe('It timed out');
  });

  it('is retried as often as an unreachable one', async () => {
    vi.useFakeTimers();
    const asked: number[] = [];
    const { client } = scriptClient([], {
      fetch: async (_, init) => {
        asked.push(Date.now());
        return asked.length > 2 ? Response.json([]) : waitInVain(init);
      },
    });
    const systems = client.listSystems();
    await vi.advanceTimersByTimeAsync(80_000);
    expect(await systems).toEqual([]);
    expect(asked.map((at) => at - (asked[0] ?? 0))).toEqual([0, 40_000, 80_000]);
  });

  it('gets more time for a large body', async () => {
    vi.useFakeTimers();
    const { client } = scriptClient([], { fetch: (_, init) => waitInVain(init), retries: 0 });
    const input = new Blob([new Uint8Array(1_000_000)]);
    const ended = vi.fn();
    client.submit({ ...submission, input }).catch(ended);
    await vi.advanceTimersByTimeAsync(89_000);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(ended).toHaveBeenCalled();
  });

  it.each([200, 500])('times out in the middle of a %d answer too', async (status) => {
    const client = await connect((_, response) => void response.writeHead(status).write('['));
    expect(await reasonOf(client.listSystems())).toBe('It timed out');
  });

  it('is abandoned when the caller aborts, with the reason of the caller', async () => {
    const client = await connect(() => undefined, { timeout: 60_000 });
    const giving = new AbortController();
    const status = client.readStatus({}, { signal: giving.signal });
    giving.abort(new Error('Enough.'));
    await expect(status).rejects.toThrow('Enough.');
  });
});

describe('an answer', () => {
  it.each([200, 400])('of %d that never ends is read up to a limit', async (status) => {
    let sent = 0;
    const client = await connect(
      (request, response) => {
        response.writeHead(status);
        const piece = Buffer.alloc(100_000, ' ');
        const go = () => {
          while (!request.destroyed && response.write(piece)) sent += piece.length;
        };
        response.on('drain', go);
        go();
      },
      { maxAnswerBytes: 1_000_000, timeout: 60_000 },
    );
    expect(await reasonOf(client.listSystems())).toBe('Its answer has more than 1000000 bytes');
    expect(sent).toBeLessThan(50_000_000);
  });

  it('that redirects is not followed, so neither token nor body reaches another address', async () => {
    const seen: string[] = [];
    const other = await startServer((request, response) => {
      seen.push(`${request.method} ${request.headers.authorization}`);
      response.end('[]');
    });
    const client = await connect(
      (request, response) => {
        response.writeHead(307, { location: `${other}${request.url}` }).end();
      },
      { timeout: 60_000 },
    );
    await expect(client.listSystems()).rejects.toThrow(ServiceUnreachable);
    await expect(client.submit(submission)).rejects.toThrow(ServiceUnreachable);
    expect(seen).toEqual([]);
  });

  it('with a long Retry-After is not waited for', async () => {
    const { client, pauses } = scriptClient([refuse(503, 'busy', { 'retry-after': '301' })]);
    await expect(client.listSystems()).rejects.toMatchObject({ retryAfter: 301 });
    expect(pauses).toEqual([]);
  });
});

describe('a list that never ends', () => {
  const page = (next: string) =>
    Response.json([job], { headers: { link: `<https://slipway.test${next}>; rel="next"` } });

  async function countPages(pages: Response[], settings: Partial<Settings> = {}) {
    const { client, asked } = scriptClient(pages, settings);
    const walk = async () => {
      for await (const _ of client.listJobs()) expect(asked.length).toBeLessThan(20_000);
    };
    await expect(walk()).rejects.toThrow('The list /jobs/ does not end');
    return asked.length;
  }

  it('stops when a page repeats, at once or in a cycle', async () => {
    expect(await countPages([page('/jobs/')])).toBe(1);
    const circle = [page('/jobs/?cursor=a'), page('/jobs/?cursor=b'), page('/jobs/?cursor=a')];
    expect(await countPages(circle)).toBe(3);
  });

  it('stops at the page limit if the cursors keep changing', async () => {
    let cursor = 0;
    const fetch = async () => {
      cursor += 1;
      return page(`/jobs/?cursor=${cursor}`);
    };
    const { client } = scriptClient([], { fetch, maxPages: 50 });
    const walk = async () => {
      for await (const _ of client.listJobs()) expect(cursor).toBeLessThanOrEqual(50);
    };
    await expect(walk()).rejects.toThrow(ServiceUnreachable);
    expect(cursor).toBe(50);
  });

  it('stops as CSV too', async () => {
    const { client, asked } = scriptClient([page('/admin/reports/usage/?by=user')]);
    await expect(client.reportUsageAsCsv({ by: 'user' })).rejects.toThrow(ServiceUnreachable);
    expect(asked).toHaveLength(1);
  });
});

describe('a download', () => {
  it('may exceed the timeout of an answer while bytes keep coming', async () => {
    vi.useFakeTimers();
    const { client } = scriptClient([], { fetch: async () => new Response(sendSlowly(8)) });
    const text = (await client.readFile(file)).text();
    await vi.advanceTimersByTimeAsync(8 * 30_000);
    expect(await text).toBe('piece '.repeat(8));
  });

  it('times out when it stalls', async () => {
    // Long enough for the head of the answer on a busy machine.
    const patience = { timeout: 5_000 };
    const client = await connect((_, response) => void response.write('a piece'), patience);
    const answer = await client.readFile(file);
    await expect(answer.text()).rejects.toThrow('It timed out');
  });

  it('does not time out while the reader pauses', async () => {
    vi.useFakeTimers();
    const { client } = scriptClient([new Response('all of it', { status: 200 })]);
    const answer = await client.readFile(file);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await answer.text()).toBe('all of it');
    expect(answer.status).toBe(200);
  });
});

describe('an upload', () => {
  it.each([
    { what: 'reads nothing', storage: () => undefined },
    {
      what: 'sends an endless answer',
      storage: ((request, response) => {
        request.resume();
        response.writeHead(500);
        const go = () => {
          while (!response.destroyed && response.write(Buffer.alloc(100_000)));
        };
        response.on('drain', go);
        go();
      }) satisfies RequestListener,
    },
  ])('fails if the storage $what', async ({ storage }) => {
    const address = await startServer(storage);
    const client = createClient({
      baseUrl: 'https://slipway.test',
      fetch: async () => Response.json({ upload_id: 'u', address, headers: {} }),
      timeout: 200,
      retries: 0,
    });
    const input = new Blob([new Uint8Array(5_000_000)]);
    await expect(client.submit({ ...submission, input })).rejects.toThrow(
      'The storage did not answer',
    );
  });
});
