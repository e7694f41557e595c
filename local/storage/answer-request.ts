import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ObjectPlace, Objects, StoredObject } from './objects.ts';
import {
  readObjectPath,
  readQuery,
  type StorageCredentials,
  StorageRefusal,
  splitOnce,
  verifySignature,
} from './verify-signature.ts';

export interface Storage {
  readonly objects: Objects;
  readonly buckets: readonly string[];
  readonly credentials: StorageCredentials;
  readonly now: () => Date;
}

/** S3's limit for one PUT. */
const maxBytes = 5 * 1024 ** 3;

/**
 * Serves PUT, also of parts, GET with a range, HEAD and DELETE of objects below the path `base`. Requires a valid
 * signature, which also covers the Host header and the whole path.
 */
export async function answerRequest(
  storage: Storage,
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path, query] = splitOnce(request.url ?? '/', '?');
  const { method = 'GET' } = request;
  const headers = readHeaders(request);
  const payloadHash = verifySignature(
    { method, path, query, headers },
    storage.credentials,
    storage.now(),
  );
  const place = findPlace(storage, path.slice(base.length));
  switch (method) {
    case 'PUT':
      await takeObject(storage.objects, place, request, { payloadHash, query: readQuery(query) });
      response.writeHead(200).end();
      return;
    case 'GET':
    case 'HEAD':
      return sendObject(await findObject(storage.objects, place), request, response, query);
    case 'DELETE':
      await storage.objects.remove(place);
      response.writeHead(204).end();
      return;
    default:
      throw new StorageRefusal(
        405,
        'MethodNotAllowed',
        'Only PUT, GET, HEAD and DELETE are supported.',
      );
  }
}

function findPlace({ buckets }: Storage, path: string): ObjectPlace {
  const place = readObjectPath(path);
  if (!buckets.includes(place.bucket)) {
    throw new StorageRefusal(404, 'NoSuchBucket', 'The specified bucket does not exist');
  }
  if (place.key === '' || place.key.length > 1024) {
    throw new StorageRefusal(400, 'InvalidArgument', 'A key must have 1 to 1024 characters.');
  }
  return place;
}

async function takeObject(
  objects: Objects,
  place: ObjectPlace,
  request: IncomingMessage,
  { payloadHash, query }: { payloadHash: string; query: ReadonlyMap<string, string> },
): Promise<void> {
  const length = request.headers['content-length'];
  if (length === undefined) {
    throw new StorageRefusal(411, 'MissingContentLength', 'Content-Length is required.');
  }
  if (Number(length) > maxBytes) {
    throw new StorageRefusal(400, 'EntityTooLarge', `At most ${maxBytes} bytes are allowed.`);
  }
  const once = request.headers['if-none-match'] === '*';
  const content = payloadHash === 'UNSIGNED-PAYLOAD' ? request : checkHash(request, payloadHash);
  const id = query.get('uploadId');
  if (id !== undefined) {
    const number = Number(query.get('partNumber'));
    if (await objects.parts.write(place, id, number, content)) return;
    throw new StorageRefusal(404, 'NoSuchUpload', 'The specified upload does not exist.');
  }
  if (await objects.write(place, content, once)) return;
  throw new StorageRefusal(412, 'PreconditionFailed', 'An object with this key already exists.');
}

/**
 * Passes the content through. Throws at the end if it is not what was signed, so that none of it is
 * stored.
 */
async function* checkHash(
  content: AsyncIterable<Uint8Array>,
  expected: string,
): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== expected) {
    throw new StorageRefusal(400, 'XAmzContentSHA256Mismatch', 'The body is not what was signed.');
  }
}

async function findObject(objects: Objects, place: ObjectPlace): Promise<StoredObject> {
  const found = await objects.find(place);
  if (found) return found;
  throw new StorageRefusal(404, 'NoSuchKey', 'The specified key does not exist.');
}

async function sendObject(
  { bytes, version, open }: StoredObject,
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
): Promise<void> {
  const span = readRange(request.headers.range, bytes);
  if (!span) {
    const headers = { 'content-range': `bytes */${bytes}` };
    throw new StorageRefusal(416, 'InvalidRange', 'The range is not satisfiable', headers);
  }
  const { first, last, partial } = span;
  const disposition = readQuery(query).get('response-content-disposition');
  response.writeHead(partial ? 206 : 200, {
    'accept-ranges': 'bytes',
    etag: `"${version}"`,
    'content-length': last - first + 1,
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    ...(disposition !== undefined && { 'content-disposition': disposition }),
    ...(partial && { 'content-range': `bytes ${first}-${last}/${bytes}` }),
  });
  if (request.method === 'HEAD' || bytes === 0) response.end();
  else await pipeline(open(first, last), response);
}

function readHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(',')]),
  );
}

interface Span {
  readonly first: number;
  readonly last: number;
  /** True for every valid range, even if it covers the whole object. */
  readonly partial: boolean;
}

/**
 * Reads a Range header with one byte range. Returns undefined if the range cannot be satisfied.
 * Ignores a malformed header and selects the whole object.
 */
export function readRange(header: string | undefined, bytes: number): Span | undefined {
  const end = bytes - 1;
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  const backwards = from !== '' && to !== '' && Number(to) < Number(from);
  if ((from === '' && to === '') || backwards) return { first: 0, last: end, partial: false };
  // `bytes=-n` selects the last n bytes.
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  if (first > end) return undefined;
  return { first, last: from === '' || to === '' ? end : Math.min(Number(to), end), partial: true };
}
