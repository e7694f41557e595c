import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { cleanPath } from '#client/src/node/save-files.ts';
import { createClient, FilesSkipped } from '../../../client/src/node/index.ts';
import { startServer } from '../fixtures/http-server.ts';
import { job } from '../fixtures/scripted-client.ts';

const submission = { hpc: 'hpc_one', command: 'ls', nodes: 1, cores: 1, runtime: 1 };
const large = randomBytes(5_000_000);

/** A service whose uploads go to this storage. */
function serviceBefore(storage: string): typeof fetch {
  return async (address) =>
    String(address).endsWith('/uploads/')
      ? Response.json({
          upload_id: 'b0f5c5a4',
          address: `${storage}/inputs/b0f5c5a4`,
          headers: { 'Content-Length': String(large.length), 'If-None-Match': '*' },
        })
      : Response.json(job);
}

async function submitLarge(storage: RequestListener): Promise<number[]> {
  const client = createClient({
    baseUrl: 'http://slipway.test',
    fetch: serviceBefore(await startServer(storage)),
    pause: async () => undefined,
  });
  const told: number[] = [];
  await client.submit({
    ...submission,
    input: new Blob([large]),
    onProgress: (sent, whole) => {
      told.push(sent);
      expect(whole).toBe(large.length);
    },
  });
  return told;
}

describe('a large input', () => {
  it('arrives complete, with its length and without a token, and reports progress', async () => {
    const seen: IncomingMessage[] = [];
    let arrived = Buffer.alloc(0);
    const told = await submitLarge(async (request, response) => {
      seen.push(request);
      arrived = await buffer(request);
      response.end();
    });
    expect(arrived.equals(large)).toBe(true);
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/inputs/b0f5c5a4' });
    expect(seen[0]?.headers).toMatchObject({ 'content-length': '5000000', 'if-none-match': '*' });
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(told.length).toBeGreaterThan(10);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(large.length);
  });

  it('is retried when the storage fails, and its progress never goes back', async () => {
    const answers = ['cut', 503, 200] as const;
    let tries = 0;
    const told = await submitLarge(async (request, response) => {
      const answer = answers[tries];
      tries += 1;
      if (answer === 'cut') return void request.once('data', () => request.destroy());
      await buffer(request);
      response.writeHead(answer ?? 500).end();
    });
    expect(tries).toBe(3);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(large.length);
  });

  it('counts as uploaded if the storage already has it', async () => {
    const told = await submitLarge((_, response) => void response.writeHead(412).end());
    expect(told.at(-1)).toBe(large.length);
  });

  it('is not retried if the storage refuses it', async () => {
    let tries = 0;
    const sending = submitLarge((request, response) => {
      tries += 1;
      request.resume();
      response.writeHead(403).end();
    });
    await expect(sending).rejects.toThrow('The storage answered 403');
    expect(tries).toBe(1);
  });
});

describe('a file of a job', () => {
  const file = { hpc: 'hpc_one', project_name: 'proj_hpc_one_01', job_id: 'A', file_id: 'out.bin' };
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-save-'));
    const made = folder;
    onTestFinished(() => rmSync(made, { recursive: true }));
  });

  const connect = async (listener: RequestListener) =>
    createClient({
      baseUrl: await startServer(listener),
      token: 'secret',
      pause: async () => undefined,
    });

  it('is fetched from another host without sending the token there', async () => {
    const seen: (string | undefined)[] = [];
    const storage = await startServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end(large);
    });
    const client = await connect((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(303, { location: `${storage}/results/out.bin?signed=1` }).end();
    });
    const told: number[] = [];
    const path = join(folder, 'below/out.bin');
    const bytes = await client.saveFile(file, path, { onProgress: (done) => told.push(done) });
    expect(bytes).toBe(large.length);
    expect(hash(readFileSync(path))).toBe(hash(large));
    expect(told.at(-1)).toBe(large.length);
    expect(seen).toEqual(['Bearer secret', undefined]);
  });

  it('is fetched again after a cut-off, and gets its name only when complete', async () => {
    let tries = 0;
    const client = await connect((_, response) => {
      tries += 1;
      response.writeHead(200, { 'content-length': '10' });
      if (tries === 1) response.write('01234', () => response.destroy());
      else response.end('0123456789');
    });
    await client.saveFile(file, join(folder, 'out.txt'));
    expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe('0123456789');
    expect(readdirSync(folder)).toEqual(['out.txt']);
    expect(tries).toBe(2);
  });

  /** A storage that cuts its answers at these places, and serves ranges. */
  function cutAt(places: readonly number[], versionOf: (asked: number) => string) {
    const asked: (string | undefined)[] = [];
    const listener: RequestListener = (request, response) => {
      const cut = places[asked.length];
      const { range } = request.headers;
      const first = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      asked.push(range);
      const rest = large.subarray(first);
      response.writeHead(range === undefined ? 200 : 206, {
        'content-length': rest.length,
        etag: versionOf(asked.length),
        ...(range && { 'content-range': `bytes ${first}-${large.length - 1}/${large.length}` }),
      });
      if (cut === undefined) response.end(rest);
      else response.write(rest.subarray(0, cut - first), () => response.destroy());
    };
    return { asked, listener };
  }

  /** The positions from which the rest was asked for. */
  const startsOf = (asked: readonly (string | undefined)[]) =>
    asked.map((range) => (range === undefined ? 0 : Number(/\d+/.exec(range))));

  it('goes on where it was cut off, more often than it is tried in one place', async () => {
    const places = [1_000_000, 2_000_000, 3_000_000, 4_000_000, 4_500_000];
    const { asked, listener } = cutAt(places, () => '"one"');
    const client = await connect(listener);
    const told: number[] = [];
    const path = join(folder, 'out.bin');
    const onProgress = (done: number) => told.push(done);
    expect(await client.saveFile(file, path, { onProgress })).toBe(large.length);
    expect(hash(readFileSync(path))).toBe(hash(large));
    expect(asked).toHaveLength(6);
    const starts = startsOf(asked);
    // What is on the disk may end a piece before what was sent.
    for (const [index, start] of starts.slice(1).entries()) {
      expect(start).toBeGreaterThan(starts[index] ?? 0);
      expect(start).toBeLessThanOrEqual(places[index] ?? 0);
    }
    expect(told.at(-1)).toBe(large.length);
  });

  it('is fetched from its beginning if it is another one by now', async () => {
    const { asked, listener } = cutAt([1_000_000], (count) => (count === 1 ? '"one"' : '"two"'));
    const client = await connect(listener);
    const path = join(folder, 'out.bin');
    await client.saveFile(file, path);
    expect(hash(readFileSync(path))).toBe(hash(large));
    expect(asked.map((range) => range !== undefined)).toEqual([false, true, false]);
  });

  it('is fetched from its beginning if its storage does not tell versions apart', async () => {
    const { asked, listener } = cutAt([1_000_000], () => 'W/"weak"');
    const client = await connect(listener);
    const path = join(folder, 'out.bin');
    await client.saveFile(file, path);
    expect(hash(readFileSync(path))).toBe(hash(large));
    expect(asked).toEqual([undefined, undefined]);
  });

  it('leaves nothing behind if it is always cut off', async () => {
    const client = await connect((_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('01234', () => response.destroy());
    });
    await expect(client.saveFile(file, join(folder, 'out.txt'))).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['../out', 'a/../../out', '/etc/out', 'c:\\out', 'a\\..\\..\\out'])(
    'with the name %j does not leave the folder',
    async (filename) => {
      const client = await connect((_, response) =>
        response.end(JSON.stringify([{ fileid: 'a', filename, length: 1 }])),
      );
      await expect(client.saveFiles(job, folder)).rejects.toThrow('leads out of the folder');
    },
  );
});

describe('the files of a job with bad names', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-save-'));
    const made = folder;
    onTestFinished(() => rmSync(made, { recursive: true }));
  });

  const names = [
    'a',
    'a/b',
    'a\0b',
    'a\u0001b',
    '',
    'folder/',
    'e\u001b[2Jf',
    'c\r\nd',
    'g\u202eh.txt',
    '../out',
    `long${'x'.repeat(300)}`,
    'nested/deep/größe 神经元.txt',
    'z',
  ];

  const connect = () => {
    const listed = names.map((filename, index) => ({ fileid: `${index}`, filename, length: 1 }));
    const fetch = async (address: unknown) => {
      const [, id] = /\/files\/.*\/(\d+)\/$/.exec(String(address)) ?? [];
      return id === undefined ? Response.json(listed) : new Response(id);
    };
    return createClient({ baseUrl: 'https://slipway.test', fetch });
  };

  const list = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .sort();

  const kept = ['a', 'a_b', 'c__d', 'e_[2Jf', 'g_h.txt', 'nested/deep/größe 神经元.txt', 'z'];

  it('are saved if their names can be cleaned; the others are reported', async () => {
    const skipped: string[] = [];
    const onSkip = ({ filename, reason }: { filename: string; reason: string }) =>
      skipped.push(`${filename.slice(0, 10)}: ${reason}`);
    const saved = await connect().saveFiles(job, folder, { onSkip });
    expect(list()).toEqual(kept);
    expect(saved.map(({ path }) => path.slice(folder.length + 1)).sort()).toEqual(kept);
    expect(readFileSync(join(folder, 'z'), 'utf8')).toBe('12');
    expect(skipped).toEqual([
      'a/b: A folder in its path is already a file.',
      'a\u0001b: Another file of the job has this name already.',
      ': The name is empty.',
      'folder/: The name is empty.',
      '../out: The name leads out of the folder.',
      'longxxxxxx: The name is too long.',
    ]);
  });

  it('cause an error that lists them after all others are saved, without onSkip', async () => {
    const failure = await connect()
      .saveFiles(job, folder)
      .catch((error: unknown) => error);
    if (!(failure instanceof FilesSkipped)) throw failure;
    expect(failure.skipped).toHaveLength(6);
    expect(failure.saved).toHaveLength(7);
    expect(list()).toEqual(kept);
  });

  it.each([
    { name: 'aux.txt', path: '_aux.txt' },
    { name: 'what?.txt', path: 'what_.txt' },
    { name: 'a/con/b.', path: 'a/_con/b_' },
    { name: 'auxiliary', path: 'auxiliary' },
  ])('are valid on Windows when saved there: $name', ({ name, path }) => {
    expect(cleanPath(name, 'win32')).toEqual({ path });
    expect(cleanPath(name, 'linux')).toEqual({ path: name });
  });
});

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
