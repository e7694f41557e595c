import { buffer } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ObjectNotFoundError, StorageUnavailableError } from '#lib/files/errors.ts';
import { retryPolicy } from '#lib/files/storage/call-storage.ts';
import {
  openJobFiles,
  openObjectStore,
  type WriteAddressOptions,
} from '#lib/files/storage/object-store.ts';
import type { StorageSettings } from '#lib/files/storage/storage-address.ts';

const settings: StorageSettings = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKID',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

type Answer = (request: Request, signal: AbortSignal | null | undefined) => Promise<Response>;

let requests: Request[] = [];
let pauses: number[] = [];

/** Gives one answer after the other, and then repeats the last one. */
function answerWith(...answers: Answer[]) {
  vi.spyOn(globalThis, 'fetch').mockImplementation((address, init) => {
    const request = new Request(address);
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    return answer?.(request, init?.signal) ?? Promise.reject(new Error('Nobody expected this.'));
  });
}

const status =
  (code: number, body: string | null = null): Answer =>
  async () =>
    new Response(body, { status: code });

const noConnection: Answer = async () => {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
};

/** Opens a store in which time passes only during pauses. */
function openStore(change: Partial<typeof retryPolicy> = {}, more: Partial<StorageSettings> = {}) {
  let now = 0;
  return openObjectStore(
    'bucket',
    { ...settings, ...more },
    {
      ...retryPolicy,
      random: () => 1,
      now: () => now,
      wait: async (ms) => {
        pauses.push(ms);
        now += ms;
      },
      ...change,
    },
  );
}

beforeEach(() => {
  requests = [];
  pauses = [];
});
afterEach(() => vi.restoreAllMocks());

const calls = [
  { name: 'put', call: (store = openStore()) => store.put('a', Buffer.from('x')), done: 200 },
  { name: 'read', call: (store = openStore()) => store.read('a'), done: 200 },
  { name: 'open', call: (store = openStore()) => store.open('a'), done: 200 },
  { name: 'measure', call: (store = openStore()) => store.measure('a'), done: 200 },
  { name: 'remove', call: (store = openStore()) => store.remove('a'), done: 204 },
];

describe.each(calls)('$name', ({ name, call, done }) => {
  it.each([
    { what: '500', failure: status(500) },
    { what: '503', failure: status(503) },
    { what: 'no connection', failure: noConnection },
  ])('is retried after $what, with growing pauses', async ({ failure }) => {
    answerWith(failure, failure, status(done));
    await call();
    expect(requests).toHaveLength(3);
    expect(pauses).toEqual([100, 200]);
  });

  it('gives up after three tries', async () => {
    answerWith(noConnection);
    const error = await call().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect(error).toMatchObject({ cause: { message: expect.stringMatching(/: ECONNREFUSED$/) } });
    expect(requests).toHaveLength(3);
  });

  it('starts no try after its budget', async () => {
    answerWith(status(503));
    await expect(call(openStore({ budgetMs: 150 }))).rejects.toThrow(StorageUnavailableError);
    expect(requests).toHaveLength(2);
  });

  it('is not retried after a final answer', async () => {
    const body = '<Error><Code>AccessDenied</Code></Error>';
    answerWith(
      async ({ method }) => new Response(method === 'HEAD' ? null : body, { status: 403 }),
    );
    const code = name === 'measure' ? 'no code' : 'AccessDenied';
    await expect(call()).rejects.toThrow(new RegExp(`answered \\w+ with 403 \\(${code}\\)`));
    expect(requests).toHaveLength(1);
  });

  it('does not wait forever', async () => {
    answerWith(
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        }),
    );
    await expect(call(openStore({ answerMs: 5 }))).rejects.toThrow(StorageUnavailableError);
    expect(requests).toHaveLength(3);
  });

  it('follows no redirects', async () => {
    answerWith(async () => new Response(null, { status: 307, headers: { location: '//x' } }));
    await expect(call()).rejects.toThrow('307');
    expect(requests[0]?.redirect).toBe('manual');
  });
});

describe('an object that is opened', () => {
  it('fails like the storage if it breaks off', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('ab')),
      pull: (controller) => controller.error(new TypeError('terminated')),
    });
    answerWith(async () => new Response(body, { headers: { 'content-length': '5' } }));
    const { bytes, stream } = await openStore().open('a');
    expect(bytes).toBe(5);
    await expect(buffer(stream)).rejects.toThrow(StorageUnavailableError);
  });

  it('fails if it stalls while somebody waits for it', async () => {
    answerWith(async (_, signal) => {
      const start = (controller: ReadableStreamDefaultController) =>
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      return new Response(new ReadableStream({ start }));
    });
    const { stream } = await openStore({ answerMs: 5 }).open('a');
    await expect(buffer(stream)).rejects.toThrow(StorageUnavailableError);
  });
});

describe('an object that is not there', () => {
  it('differs from one that exists', async () => {
    answerWith(status(404));
    await expect(openStore().read('a')).rejects.toThrow(ObjectNotFoundError);
    expect(await openStore().measure('a')).toBeUndefined();
    await openStore().remove('a');
    await expect(openStore().put('a', Buffer.from('x'))).rejects.toThrow('404');
  });
});

describe('a part of an object', () => {
  it('is not mistaken for the whole, nor the whole for it', async () => {
    answerWith(status(200, 'whole'));
    await expect(openStore().read('a', { first: 0, last: 1 })).rejects.toThrow('200');
    answerWith(status(206, 'part'));
    await expect(openStore().read('a')).rejects.toThrow('206');
  });
});

describe('the address of a bucket', () => {
  const addressOf = (more: Partial<StorageSettings>) =>
    openStore({}, more).addressToRead('1/a b.zip', { expiresInSeconds: 900 });

  it('is a host of its own at S3', async () => {
    const { origin, pathname, searchParams } = new URL(await addressOf({}));
    expect(origin).toBe('https://bucket.s3.eu-central-1.amazonaws.com');
    expect(pathname).toBe('/1/a%20b.zip');
    expect(searchParams.get('X-Amz-Expires')).toBe('900');
    expect(searchParams.get('X-Amz-Credential')).toMatch(
      /^AKID\/\d{8}\/eu-central-1\/s3\/aws4_request$/,
    );
  });

  it.each([
    'eu-central-1',
    'us-gov-west-1',
    'cn-north-1',
    'cn-northwest-1',
    'eusc-de-east-1',
    'us-iso-east-1',
    'us-isob-east-1',
    'us-isof-south-1',
    'eu-isoe-west-1',
  ])('ends in %s like the AWS hosts there', async (region) => {
    const { endpointProvider } = new DynamoDBClient({ region }).config;
    const { hostname } = endpointProvider({ Region: region }).url;
    const { host } = new URL(await addressOf({ AWS_REGION: region }));
    expect(host).toBe(`bucket.${hostname.replace('dynamodb', 's3')}`);
  });

  it.each(['http://127.0.0.1:9000', 'http://127.0.0.1:9000/'])('is a path at %s', async (place) => {
    const { origin, pathname } = new URL(await addressOf({ AWS_ENDPOINT_URL_S3: place }));
    expect(origin).toBe('http://127.0.0.1:9000');
    expect(pathname).toBe('/bucket/1/a%20b.zip');
  });

  it('follows the endpoint of all services, like the SDK, unless S3 has its own', async () => {
    const everything = { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' };
    expect(new URL(await addressOf(everything)).host).toBe('127.0.0.1:4566');
    const both = { ...everything, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000' };
    expect(new URL(await addressOf(both)).host).toBe('127.0.0.1:9000');
  });

  it('differs for inputs and results', async () => {
    const buckets = { INPUTS_BUCKET: 'in', RESULTS_BUCKET: 'out' };
    const { inputs, results } = openJobFiles({ ...settings, ...buckets });
    const options = { expiresInSeconds: 60 };
    expect(new URL(await inputs.addressToRead('a', options)).host).toMatch(/^in\.s3\./);
    expect(new URL(await results.addressToRead('a', options)).host).toMatch(/^out\.s3\./);
  });
});

describe('an address to write at', () => {
  const signedBy = async (options: Omit<WriteAddressOptions, 'expiresInSeconds'>) => {
    const address = await openStore().addressToWrite('a', { expiresInSeconds: 60, ...options });
    const { searchParams } = new URL(address);
    expect(searchParams.get('X-Amz-Expires')).toBe('60');
    return searchParams.get('X-Amz-SignedHeaders');
  };

  it('allows only what it was signed for', async () => {
    expect(await signedBy({})).toBe('host');
    expect(await signedBy({ bytes: 0 })).toBe('content-length;host');
    expect(await signedBy({ once: true })).toBe('host;if-none-match');
    expect(await signedBy({ bytes: 7, once: true })).toBe('content-length;host;if-none-match');
  });
});

describe('temporary credentials', () => {
  const temporary = { AWS_SESSION_TOKEN: 'a/token+of=the session' };

  it('include their token in the signature', async () => {
    answerWith(status(200));
    await openStore({}, temporary).put('a', Buffer.from('x'));
    expect(requests[0]?.headers.get('x-amz-security-token')).toBe('a/token+of=the session');
    expect(requests[0]?.headers.get('authorization')).toMatch(
      /SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,/,
    );
    const address = await openStore({}, temporary).addressToRead('a', { expiresInSeconds: 60 });
    expect(new URL(address).searchParams.get('X-Amz-Security-Token')).toBe(
      'a/token+of=the session',
    );
  });

  it('include no token if there is none', async () => {
    answerWith(status(200));
    await openStore().put('a', Buffer.from('x'));
    expect(requests[0]?.headers.has('x-amz-security-token')).toBe(false);
  });
});
