import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { type ByteStream, streamPieces } from '#lib/byte-streams/byte-stream.ts';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { openRemoteFiles } from '#lib/files/results/open-file-source.ts';
import { openObjectStore } from '#lib/files/storage/object-store.ts';
import type { Connector, JobOrder } from '#lib/hpc/connector.ts';
import { SystemUnavailableError } from '#lib/hpc/errors.ts';
import { createNsgConnector } from '#lib/hpc/nsg/nsg-connector.ts';
import { createUnicoreConnector } from '#lib/hpc/unicore/unicore-connector.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import {
  type LargeFileServer,
  type LargeFiles,
  startLargeNsg,
  startLargeUnicore,
} from '#test/upstreams/large-file-servers.ts';
import { appkey } from '#test/upstreams/nsg-server.ts';

const megabyte = 1_000_000;
const size = 40 * megabyte;
/** What two sockets of this machine may hold between two programs, and nobody else. */
const fewMegabytes = 16 * megabyte;
/** More than that: not all of it has left when the receiver stops. */
const enough = 24 * megabyte;

const order: JobOrder = {
  jobId: jobId('A-1'),
  owner: userId('42'),
  program: 'PY_EXPANSE',
  nodes: 1,
  coresPerNode: 1,
  hours: 1,
  title: 'large',
  extras: {},
};
const job = { jobId: order.jobId, owner: order.owner, handle: '1', ended: true };

/** Longer than a busy machine pauses, unless a test waits for it. */
const longSeconds = 60;
const shortSeconds = 2;
const systems = [
  {
    name: 'UNICORE',
    start: startLargeUnicore,
    connect: (baseUrl: string, timeoutSeconds = longSeconds): Connector =>
      createUnicoreConnector({ baseUrl, timeoutSeconds, credentials: keep({ token: 'x' }) }),
  },
  {
    name: 'NSG',
    start: startLargeNsg,
    connect: (baseUrl: string, timeoutSeconds = longSeconds): Connector =>
      createNsgConnector({
        baseUrl,
        timeoutSeconds,
        credentials: keep({ username: 'registrant', password: 'x', appkey }),
        endUsers: { emailDomain: 'slipway.example', institution: 'Slipway', country: 'DE' },
      }),
  },
];

function keep(credentials: Record<string, string>) {
  return { read: async () => credentials, forget: () => undefined };
}

/** Bytes that differ from each other, made when they are asked for. */
async function* makePieces(bytes: number): AsyncGenerator<Buffer> {
  const piece = Buffer.from(Array.from({ length: 64_000 }, (_, index) => index % 251));
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
}

const hashes = new Map<number, string>();
async function hashOf(bytes: number): Promise<string> {
  const known = hashes.get(bytes);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  for await (const piece of makePieces(bytes)) hash.update(piece);
  const digest = hash.digest('hex');
  hashes.set(bytes, digest);
  return digest;
}

/** An input that counts what is asked of it, and how often it is opened. */
function createInput(
  bytes = size,
  pieces: () => AsyncGenerator<Uint8Array> = () => makePieces(bytes),
) {
  const seen = { asked: 0, opened: 0 };
  const count = async function* () {
    for await (const piece of pieces()) {
      seen.asked += piece.length;
      yield piece;
    }
  };
  const open = async (): Promise<ByteStream> => {
    seen.opened += 1;
    return { bytes, stream: streamPieces(count(), () => undefined) };
  };
  return { seen, input: { fileName: 'in.zip', address: 'https://storage.invalid/', open } };
}

/** A receiver that reads so much and then waits for a word. */
function stopAfter(limit: number) {
  const { promise: told, resolve: goOn } = Promise.withResolvers<void>();
  const hash = createHash('sha256');
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let received = 0;
  async function receive(upload: IncomingMessage) {
    for await (const piece of upload) {
      received += piece.length;
      hash.update(piece);
      if (received < limit) continue;
      stop();
      await told;
    }
  }
  return { receive, stopped, goOn, received: () => received, digest: () => hash.digest('hex') };
}

/** What nobody holds any more is gone after it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function closing(upload: IncomingMessage): Promise<void> {
  // With its error, where it broke off.
  upload.on('error', () => undefined);
  return new Promise((resolve) => upload.once('close', resolve));
}

/** The moment from which on a number has not changed for a while. */
async function waitUntilStill(read: () => number): Promise<number> {
  for (let last = -1; ; ) {
    await sleep(100);
    const now = read();
    if (now === last) return now;
    last = now;
  }
}

const unused = {
  resultBytes: size,
  receive: async (upload: IncomingMessage) => void upload.resume(),
  send: async (response: ServerResponse) => void response.end(),
};

let opened: (LargeFileServer | Server)[] = [];
afterEach(() => {
  for (const server of opened) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
  opened = [];
});

/** A storage that takes objects in a way of its own. */
async function startStore(receive: (upload: IncomingMessage) => Promise<void>) {
  const server = createServer((request, response) => {
    receive(request).then(
      () => response.writeHead(200).end(),
      () => response.destroy(),
    );
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return openObjectStore('results', {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
  });
}

describe.each(systems)('a large input of $name', ({ start, connect }) => {
  async function serve(files: Partial<LargeFiles>, seconds?: number): Promise<Connector> {
    const server = await start({ ...unused, ...files });
    opened.push(server);
    return connect(server.baseUrl, seconds);
  }

  it('is asked for as fast as the system takes it', async () => {
    const receiver = stopAfter(megabyte);
    const { seen, input } = createInput();
    const connector = await serve({ receive: receiver.receive });
    const submitted = connector.submit({ ...order, input });
    await Promise.race([receiver.stopped, submitted]);
    const asked = await waitUntilStill(() => seen.asked);
    expect(asked).toBeGreaterThan(megabyte);
    expect(asked).toBeLessThan(fewMegabytes);
    receiver.goOn();
    await submitted;
    expect(seen).toEqual({ asked: size, opened: 1 });
    expect(receiver.received()).toBeGreaterThanOrEqual(size);
  });

  it('is let go piece by piece, as the system takes it', async () => {
    const receiver = stopAfter(size - fewMegabytes);
    const made: WeakRef<Uint8Array>[] = [];
    const { seen, input } = createInput(size, async function* () {
      for (let left = size; left > 0; left -= 64_000) {
        const piece = new Uint8Array(64_000);
        made.push(new WeakRef(piece));
        yield piece;
      }
    });
    const connector = await serve({ receive: receiver.receive });
    const submitted = connector.submit({ ...order, input });
    await Promise.race([receiver.stopped, submitted]);
    await waitUntilStill(() => seen.asked);
    collectGarbage();
    const held = made.filter((piece) => piece.deref() !== undefined).length * 64_000;
    expect(held).toBeLessThan(fewMegabytes);
    receiver.goOn();
    await submitted;
  });

  it('arrives as it was, with its length told before', async () => {
    let length: string | undefined;
    const parts: Buffer[] = [];
    const connector = await serve({
      async receive(upload) {
        length = upload.headers['content-length'];
        for await (const piece of upload) parts.push(piece);
      },
    });
    const { input } = createInput(3 * megabyte);
    await connector.submit({ ...order, input });
    const body = Buffer.concat(parts);
    expect(length).toBe(String(body.length));
    // Around it NSG has the rest of a form.
    const first = Buffer.concat([...(await Array.fromAsync(makePieces(64_000)))]);
    const from = body.indexOf(first);
    const sent = body.subarray(from, from + 3 * megabyte);
    expect(createHash('sha256').update(sent).digest('hex')).toBe(await hashOf(3 * megabyte));
  });

  it.each([
    {
      peer: 'stalls',
      seconds: shortSeconds,
      act: async () => new Promise<void>(() => undefined),
    },
    { peer: 'hangs up', act: async (upload: IncomingMessage) => void upload.socket.destroy() },
    { peer: 'answers before it has all of it', act: async () => undefined },
  ])(
    'that $peer in the middle is not sent, and the next try begins anew',
    async ({ act, seconds }) => {
      let tries = 0;
      const whole = stopAfter(Number.POSITIVE_INFINITY);
      const receive = async (upload: IncomingMessage) => {
        tries += 1;
        if (tries > 1) return whole.receive(upload);
        await once(upload, 'data');
        upload.pause();
        return act(upload);
      };
      const connector = await serve({ receive }, seconds);
      const { seen, input } = createInput(enough);
      await expect(connector.submit({ ...order, input })).rejects.toThrow(SystemUnavailableError);
      expect(seen.asked).toBeLessThan(enough);
      await connector.submit({ ...order, input });
      expect(seen.opened).toBe(2);
      expect(whole.received()).toBeGreaterThanOrEqual(enough);
    },
  );

  it.each([
    {
      storage: 'fails',
      pieces: async function* () {
        yield* makePieces(megabyte);
        throw new StorageUnavailableError();
      },
      error: StorageUnavailableError,
    },
    { storage: 'has less than it said', pieces: () => makePieces(megabyte), error: Error },
  ])('whose storage $storage in the middle is taken for none', async ({ pieces, error }) => {
    const outcomes: string[] = [];
    const connector = await serve({
      receive: async (upload) => {
        upload.resume();
        await closing(upload);
        outcomes.push(upload.complete ? 'whole' : 'broken off');
      },
    });
    const { input } = createInput(2 * megabyte, pieces);
    await expect(connector.submit({ ...order, input })).rejects.toThrow(error);
    await expect.poll(() => outcomes).toEqual(['broken off']);
  });
});

describe.each(systems)('a large result of $name', ({ start, connect }) => {
  /** A system that has a result, and counts what of it has left. */
  async function serve(
    act: (response: ServerResponse) => Promise<void>,
    headers = {},
    seconds?: number,
  ) {
    const server = await start({
      ...unused,
      async send(response) {
        response.writeHead(200, headers);
        await act(response);
      },
    });
    opened.push(server);
    seen.left = 0;
    return connect(server.baseUrl, seconds);
  }
  const seen = { left: 0 };
  async function sendAll(response: ServerResponse, bytes = size) {
    for await (const piece of makePieces(bytes)) {
      seen.left += piece.length;
      if (!response.write(piece)) await once(response, 'drain');
    }
    response.end();
  }
  const told = { 'content-length': String(size) };

  async function relay(connector: Connector, receive: (upload: IncomingMessage) => Promise<void>) {
    const results = await startStore(receive);
    results.measure = async () => undefined;
    const { table, close } = await openInProcessTable('slipway-large-files');
    try {
      const source = openRemoteFiles(async () => connector, job, { table, results });
      const [file] = await source.list();
      return await source.fetch(file?.id ?? '');
    } finally {
      await close();
    }
  }

  it.each([told, {}])('leaves the system as fast as the storage takes it (%o)', async (headers) => {
    const connector = await serve(sendAll, headers);
    const receiver = stopAfter(megabyte);
    const relayed = relay(connector, receiver.receive);
    await Promise.race([receiver.stopped, relayed]);
    const left = await waitUntilStill(() => seen.left);
    expect(left).toBeLessThan(2 * fewMegabytes);
    receiver.goOn();
    expect(await relayed).toMatchObject({ kind: 'address' });
    expect(receiver.received()).toBe(size);
    expect(receiver.digest()).toBe(await hashOf(size));
  });

  it.each([
    {
      what: 'stalls',
      headers: told,
      seconds: shortSeconds,
      act: async (response: ServerResponse): Promise<void> => void response.write('half'),
    },
    {
      what: 'hangs up',
      headers: told,
      act: async (response: ServerResponse): Promise<void> =>
        void response.write('half', () => response.destroy()),
    },
    {
      what: 'ends too early, in chunks,',
      headers: {},
      act: (response: ServerResponse) => sendAll(response, megabyte),
    },
    {
      what: 'says too little of its length',
      headers: {},
      act: (response: ServerResponse) => sendAll(response, size + 1),
    },
  ])('is not handed out where the system $what', async ({ headers, act, seconds }) => {
    const connector = await serve(act, headers, seconds);
    const outcomes: boolean[] = [];
    const receive = async (upload: IncomingMessage) => {
      upload.resume();
      await closing(upload);
      outcomes.push(upload.complete);
    };
    await expect(relay(connector, receive)).rejects.toThrow(SystemUnavailableError);
    await expect.poll(() => outcomes).toEqual([false]);
  });
});
