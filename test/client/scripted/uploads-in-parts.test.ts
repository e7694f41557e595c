import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../client/src/node/index.ts';
import { startServer } from '../fixtures/http-server.ts';
import { job } from '../fixtures/scripted-client.ts';

const submission = { hpc: 'hpc_one', command: 'ls', nodes: 1, cores: 1, runtime: 1 };
const partBytes = 2_000_000;
const input = new Blob([Buffer.alloc(5_000_000, 'a file in parts ')]);
const numbers = [1, 2, 3];

/** A service and its storage, which refuses the parts of this list once each. */
async function connect({ breaks = [] as number[], length = input.size } = {}) {
  const arrived = new Map<number, Buffer>();
  const [asked, submitted]: [string[], (string | null)[]] = [[], []];
  const storage = await startServer(async (request, response) => {
    const number = Number(request.url?.slice(1));
    const content = await buffer(request);
    const isBroken = breaks.includes(number);
    if (isBroken) breaks.splice(breaks.indexOf(number), 1);
    else arrived.set(number, content);
    response.writeHead(isBroken ? 403 : 200).end();
  });
  const answerUpload = () => {
    const missing = numbers.filter((number) => !arrived.has(number));
    const parts = missing.map((number) => {
      const first = (number - 1) * partBytes;
      const bytes = Math.min(partBytes, length - first);
      const headers = { 'Content-Length': String(bytes) };
      return { number, first, length: bytes, address: `${storage}/${number}`, headers };
    });
    return { upload_id: 'u-1', length, complete: parts.length === 0, expires: '', parts };
  };
  const client = createClient({
    baseUrl: 'http://slipway.test',
    pause: async () => undefined,
    fetch: async (address, init) => {
      const { pathname } = new URL(String(address));
      asked.push(pathname);
      if (pathname.startsWith('/uploads/')) return Response.json(answerUpload());
      submitted.push(new Headers(init?.headers).get('upload-id'));
      return Response.json(job);
    },
  });
  return { client, arrived, asked, submitted };
}

describe('an upload in parts', () => {
  it('goes on where it broke off, and reports progress of the whole file', async () => {
    const { client, arrived, asked, submitted } = await connect();
    arrived.set(1, Buffer.from(await input.slice(0, partBytes).arrayBuffer()));
    const told: number[] = [];
    const onProgress = (sent: number, whole: number) => {
      told.push(sent);
      expect(whole).toBe(input.size);
    };
    await client.submit({ ...submission, input, uploadId: 'u-1', onProgress });
    expect(submitted).toEqual(['u-1']);
    expect(asked.filter((path) => path === '/uploads/')).toEqual([]);
    expect(told[0]).toBeGreaterThan(partBytes);
    expect(told.at(-1)).toBe(input.size);
    const whole = Buffer.concat(numbers.map((number) => arrived.get(number) ?? Buffer.alloc(0)));
    expect(whole.equals(Buffer.from(await input.arrayBuffer()))).toBe(true);
  });

  it('asks for new addresses once those that it has are refused', async () => {
    const { client, arrived, asked } = await connect({ breaks: [2] });
    await client.submit({ ...submission, input, uploadId: 'u-1' });
    expect([...arrived.keys()]).toEqual([1, 2, 3]);
    expect(asked.filter((path) => path === '/uploads/u-1/')).toHaveLength(3);
  });

  it('ends if the storage refuses the first part, and tells its id before', async () => {
    const { client } = await connect({ breaks: [1] });
    const told: string[] = [];
    const onUpload = (id: string) => void told.push(id);
    const sending = client.submit({ ...submission, input, uploadId: 'u-1', onUpload });
    await expect(sending).rejects.toThrow('The storage answered 403');
    expect(told).toEqual(['u-1']);
  });

  it('is not mixed with a file of another length', async () => {
    const { client, arrived } = await connect({ length: 4_000_000 });
    const sending = client.submit({ ...submission, input, uploadId: 'u-1' });
    await expect(sending).rejects.toThrow('another length');
    expect(arrived.size).toBe(0);
  });

  it('ends if the storage forgets what it took', async () => {
    const { client, arrived } = await connect();
    arrived.set = () => arrived;
    const sending = client.submit({ ...submission, input, uploadId: 'u-1' });
    await expect(sending).rejects.toThrow('lost a part');
  });
});
