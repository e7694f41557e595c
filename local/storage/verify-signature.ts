import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ObjectPlace } from './objects.ts';

export interface SignedRequest {
  readonly method: string;
  /** URL-encoded, as sent. */
  readonly path: string;
  readonly query: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface StorageCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** What a request says about its signature. */
interface Claim {
  readonly credential: string;
  /** `20260131T080000Z` */
  readonly date: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payloadHash: string;
}

const algorithm = 'AWS4-HMAC-SHA256';
const skewMs = 15 * 60 * 1000;
const maxExpirySeconds = 7 * 24 * 60 * 60;

/**
 * Verifies Signature Version 4 as S3 does, in a header or a presigned URL. Implements the
 * specification without the library that signs, so that a mistake there is not repeated here.
 * Returns the expected hash of the body, or 'UNSIGNED-PAYLOAD'.
 */
export function verifySignature(
  request: SignedRequest,
  credentials: StorageCredentials,
  now: Date,
): string {
  const query = readQuery(request.query);
  const presigned = query.get('X-Amz-Algorithm') !== undefined;
  const claim = presigned ? readAddress(query) : readHeader(request.headers);
  const signedAt = parseDate(claim.date);
  if (presigned) refuseExpired(signedAt, query.get('X-Amz-Expires'), now);
  else if (Math.abs(now.getTime() - signedAt.getTime()) > skewMs) {
    throw new StorageRefusal(403, 'RequestTimeTooSkewed', 'The clocks differ too much.');
  }
  const scope = `${claim.date.slice(0, 8)}/${credentials.region}/s3/aws4_request`;
  if (claim.credential !== `${credentials.accessKeyId}/${scope}`) {
    throw new StorageRefusal(403, 'InvalidAccessKeyId', 'These credentials are unknown.');
  }
  refuseUnsigned(request.headers, claim.signedHeaders);
  const expected = sign(credentials, claim.date, scope, canonicalRequest(request, claim));
  if (!equals(expected, claim.signature)) {
    throw new StorageRefusal(403, 'SignatureDoesNotMatch', 'The request is not what was signed.');
  }
  return claim.payloadHash;
}

function readAddress(query: ReadonlyMap<string, string>): Claim {
  const required = (name: string) => query.get(name) ?? refuseMalformed();
  if (query.get('X-Amz-Algorithm') !== algorithm) refuseMalformed();
  return {
    credential: required('X-Amz-Credential'),
    date: required('X-Amz-Date'),
    signedHeaders: required('X-Amz-SignedHeaders').split(';'),
    signature: required('X-Amz-Signature'),
    payloadHash: 'UNSIGNED-PAYLOAD',
  };
}

function readHeader(headers: SignedRequest['headers']): Claim {
  const { authorization, 'x-amz-date': date, 'x-amz-content-sha256': payloadHash } = headers;
  if (authorization === undefined) {
    throw new StorageRefusal(403, 'AccessDenied', 'The request is not signed.');
  }
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^, ]+), ?SignedHeaders=([^, ]+), ?Signature=([0-9a-f]+)$/;
  const [, credential = '', signedHeaders = '', signature = ''] =
    form.exec(authorization) ?? refuseMalformed();
  if (date === undefined || payloadHash === undefined) return refuseMalformed();
  return { credential, date, signedHeaders: signedHeaders.split(';'), signature, payloadHash };
}

function refuseMalformed(): never {
  throw new StorageRefusal(400, 'AuthorizationHeaderMalformed', 'The signature is incomplete.');
}

function parseDate(text: string): Date {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? refuseMalformed();
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function refuseExpired(signedAt: Date, expires: string | undefined, now: Date): void {
  const seconds = /^\d{1,6}$/.test(expires ?? '') ? Number(expires) : refuseMalformed();
  if (seconds < 1 || seconds > maxExpirySeconds) refuseMalformed();
  const age = now.getTime() - signedAt.getTime();
  if (!(age >= -skewMs && age < seconds * 1000)) {
    throw new StorageRefusal(403, 'AccessDenied', 'Request has expired');
  }
}

/** Refuses requests with unsigned `x-amz-` headers, which anyone could have added. */
function refuseUnsigned(headers: SignedRequest['headers'], signed: readonly string[]): void {
  const needed = Object.keys(headers).filter((name) => name === 'host' || /^x-amz-/.test(name));
  if (!signed.includes('host') || needed.some((name) => !signed.includes(name))) {
    throw new StorageRefusal(403, 'AccessDenied', 'There were headers which were not signed');
  }
}

function canonicalRequest({ method, path, query, headers }: SignedRequest, claim: Claim): string {
  const lines = claim.signedHeaders.map(
    (name) => `${name}:${(headers[name] ?? '').trim().replaceAll(/\s+/g, ' ')}`,
  );
  return [
    method,
    canonicalPath(path),
    canonicalQuery(query, 'X-Amz-Signature'),
    ...lines,
    '',
    claim.signedHeaders.join(';'),
    claim.payloadHash,
  ].join('\n');
}

function sign(
  { secretAccessKey }: StorageCredentials,
  date: string,
  scope: string,
  canonical: string,
): string {
  const hashed = createHash('sha256').update(canonical).digest('hex');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return hmac(key, [algorithm, date, scope, hashed].join('\n')).toString('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function equals(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** An error response of S3. */
export class StorageRefusal extends Error {
  override name = 'StorageRefusal';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Encodes each segment of a path once by RFC 3986, as signatures require. */
function canonicalPath(path: string): string {
  return path.split('/').map(recode).join('/');
}

/** Sorts the encoded parameters and leaves out the signature, as signatures require. */
function canonicalQuery(query: string, leftOut: string): string {
  return splitQuery(query)
    .map(([name, value]) => [recode(name), recode(value)] as const)
    .filter(([name]) => name !== leftOut)
    .map((pair) => pair.join('='))
    .sort()
    .join('&');
}

/** Returns decoded values by name. Refuses repeated parameters. */
export function readQuery(query: string): ReadonlyMap<string, string> {
  const pairs = splitQuery(query).map(([name, value]) => [decode(name), decode(value)] as const);
  const parameters = new Map(pairs);
  if (parameters.size < pairs.length) {
    throw new StorageRefusal(400, 'InvalidArgument', 'A parameter is given twice.');
  }
  return parameters;
}

/** Splits and decodes `/<bucket>/<key>`. */
export function readObjectPath(path: string): ObjectPlace {
  const [, bucket = '', ...segments] = path.split('/').map(decode);
  return { bucket, key: segments.join('/') };
}

function splitQuery(query: string): [string, string][] {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return pairs.map((pair) => splitOnce(pair, '='));
}

export function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function recode(text: string): string {
  return encodeURIComponent(decode(text)).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StorageRefusal(400, 'InvalidURI', 'The address cannot be decoded.');
  }
}
