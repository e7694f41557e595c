import { create as createDisposition } from 'content-disposition';
import { ObjectNotFoundError } from '../errors.ts';
import {
  announcedBytes,
  callStorage,
  openObject,
  type RetryPolicy,
  retryPolicy,
  type StorageAnswer,
  sendObject,
} from './call-storage.ts';
import { type DirectStore, openDirectly } from './direct-store.ts';
import {
  type PartStore,
  readParts,
  readPartsId,
  type StoredPart,
  selectPart,
  writeJoin,
} from './parts.ts';
import {
  createSigner,
  encodeKey,
  locateBucket,
  type StorageSettings,
  writeAddress,
} from './storage-address.ts';

/** A bucket of files by key. */
export interface ObjectStore extends DirectStore {
  /**
   * Signs a URL for a GET. It works for anyone who has it, until it or the credentials that signed
   * it expire.
   */
  addressToRead(key: string, options: ReadAddressOptions): Promise<string>;
  /** Signs a URL for a PUT. It works for anyone who has it. */
  addressToWrite(key: string, options: WriteAddressOptions): Promise<string>;
}

interface ReadAddressOptions {
  readonly expiresInSeconds: number;
  /** The name under which a browser saves the file. */
  readonly fileName?: string;
}

export interface WriteAddressOptions {
  readonly expiresInSeconds: number;
  /** The exact number of bytes, which is part of the signature. */
  readonly bytes?: number;
  /** The hash of the content in hexadecimal digits. The sender must set `x-amz-checksum-sha256`. */
  readonly sha256?: string;
  /** Refuses to replace an object. The sender must then set `If-None-Match: *`. */
  readonly once?: boolean;
  /** Sends a part of the object. */
  readonly part?: { readonly id: string; readonly number: number };
}

export interface JobFiles {
  readonly inputs: ObjectStore;
  readonly results: ObjectStore;
}

interface JobFilesSettings extends StorageSettings {
  readonly INPUTS_BUCKET: string;
  readonly RESULTS_BUCKET: string;
}

export function openJobFiles(settings: JobFilesSettings): JobFiles {
  return {
    inputs: openObjectStore(settings.INPUTS_BUCKET, settings),
    results: openObjectStore(settings.RESULTS_BUCKET, settings),
  };
}

type Method = 'GET' | 'PUT' | 'HEAD' | 'DELETE' | 'POST';
type Fields = Readonly<Record<string, string>>;

/** Opens a bucket of S3, or of a compatible storage. Makes no call until it is used. */
export function openObjectStore(
  bucket: string,
  settings: StorageSettings,
  policy: RetryPolicy = retryPolicy,
): ObjectStore {
  const signer = createSigner(settings);
  const base = locateBucket(bucket, settings);

  const describe = (method: Method, key: string, headers: Fields, query: Fields = {}) => ({
    method,
    protocol: base.protocol,
    hostname: base.hostname,
    path: `${base.pathname}${encodeKey(key)}`,
    headers: { host: base.host, ...headers },
    query: { ...query },
  });

  async function sign(
    method: Method,
    key: string,
    headers: Fields,
    body?: Uint8Array,
    query: Fields = {},
  ) {
    const unsigned = { ...describe(method, key, headers, query), ...(body && { body }) };
    const { path, headers: signed } = await signer.sign(unsigned);
    const { host: _, ...sent } = signed;
    return new Request(writeAddress(base, path, query), {
      method,
      headers: sent,
      redirect: 'manual',
      ...(body && { body: Buffer.from(body) }),
    });
  }

  async function call(
    method: Method,
    key: string,
    headers: Fields = {},
    body?: Uint8Array,
    query?: Fields,
  ) {
    const build = () => sign(method, key, headers, body, query);
    return callStorage(build, body?.byteLength ?? 0, policy);
  }

  async function presign(
    method: Method,
    key: string,
    expiresIn: number,
    headers: Fields,
    query: Fields = {},
  ) {
    // Leaves the payload unsigned, because the content is not known yet.
    const unsigned = describe(method, key, { ...headers, [payloadHash]: unsignedPayload }, query);
    const { path, query: signed = {} } = await signer.presign(unsigned, {
      expiresIn,
      unhoistableHeaders: new Set([checksum]),
    });
    return writeAddress(base, path, signed);
  }

  return {
    async put(key, bytes) {
      expectStatus(await call('PUT', key, {}, bytes), 'PUT', [200]);
    },
    async putFrom(key, source) {
      // The hash is known only after the last byte, but the signature is needed before the first.
      const build = (bytes: number) =>
        sign('PUT', key, { 'content-length': String(bytes), [payloadHash]: unsignedPayload });
      expectStatus(await sendObject(build, source, policy), 'PUT', [200]);
    },
    async open(key) {
      const opened = await openObject(() => sign('GET', key, {}), policy);
      if ('stream' in opened) return opened;
      if (opened.status === 404) throw new ObjectNotFoundError(key);
      throw describeAnswer(opened, 'GET');
    },
    async read(key, range) {
      const headers = range && { range: `bytes=${range.first}-${range.last}` };
      const answer = await call('GET', key, headers);
      if (answer.status === 404) throw new ObjectNotFoundError(key);
      if (range && answer.status === 416) return new Uint8Array();
      expectStatus(answer, 'GET', [range ? 206 : 200]);
      return answer.body;
    },
    async measure(key) {
      const answer = await call('HEAD', key);
      if (answer.status === 404) return undefined;
      expectStatus(answer, 'HEAD', [200]);
      return announcedBytes(answer.headers);
    },
    async remove(key) {
      expectStatus(await call('DELETE', key), 'DELETE', [200, 204, 404]);
    },
    addressToRead: (key, { expiresInSeconds, fileName }) =>
      presign(
        'GET',
        key,
        expiresInSeconds,
        {},
        {
          ...(fileName !== undefined && {
            'response-content-disposition': createDisposition(fileName),
          }),
        },
      ),
    addressToWrite: (key, { expiresInSeconds, bytes, sha256, once = false, part }) =>
      presign(
        'PUT',
        key,
        expiresInSeconds,
        {
          ...(bytes !== undefined && { 'content-length': String(bytes) }),
          ...(sha256 !== undefined && {
            [checksum]: Buffer.from(sha256, 'hex').toString('base64'),
          }),
          ...(once && { 'if-none-match': '*' }),
        },
        part && selectPart(part.id, part.number),
      ),
    parts: openParts((method, key, query, body) =>
      call(method, key, {}, body === undefined ? undefined : Buffer.from(body), query),
    ),
    ...openDirectly(bucket),
  };
}

/** In the address it would be one of many parameters, and some storages look for it in the headers. */
const checksum = 'x-amz-checksum-sha256';

type CallParts = (
  method: 'GET' | 'POST',
  key: string,
  query: Fields,
  body?: string,
) => Promise<StorageAnswer>;

function openParts(call: CallParts): PartStore {
  return {
    async begin(key) {
      const answer = await call('POST', key, { uploads: '' });
      expectStatus(answer, 'POST', [200]);
      return readPartsId(textOf(answer));
    },
    async list(key, uploadId) {
      const all: StoredPart[] = [];
      let after: string | undefined;
      do {
        const marker = after === undefined ? {} : { 'part-number-marker': after };
        const answer = await call('GET', key, { uploadId, ...marker });
        if (answer.status === 404) return undefined;
        expectStatus(answer, 'GET', [200]);
        const { parts, next } = readParts(textOf(answer));
        all.push(...parts);
        after = next;
      } while (after !== undefined);
      return all;
    },
    async join(key, uploadId, parts) {
      const answer = await call('POST', key, { uploadId }, writeJoin(parts));
      // A failure may come after the status, because S3 answers before it has joined them.
      const isJoined = answer.status === 200 && !textOf(answer).includes('<Error>');
      if (isJoined || /<Code>(InvalidPart|NoSuchUpload)</.test(textOf(answer))) return isJoined;
      throw describeAnswer(answer, 'POST');
    },
  };
}

function textOf({ body }: StorageAnswer): string {
  return Buffer.from(body).toString();
}

const payloadHash = 'x-amz-content-sha256';
const unsignedPayload = 'UNSIGNED-PAYLOAD';

/** Any other status is our own mistake, so the error shows it in the log. */
function expectStatus(answer: StorageAnswer, method: Method, expected: readonly number[]): void {
  if (!expected.includes(answer.status)) throw describeAnswer(answer, method);
}

function describeAnswer({ status, body }: StorageAnswer, method: Method): Error {
  const [, code = 'no code'] = /<Code>(\w{1,64})<\/Code>/.exec(Buffer.from(body).toString()) ?? [];
  return new Error(`The storage answered ${method} with ${status} (${code}).`);
}
