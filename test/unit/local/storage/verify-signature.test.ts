import { describe, expect, it } from 'vitest';
import {
  type SignedRequest,
  StorageRefusal,
  verifySignature,
} from '#local/storage/verify-signature.ts';

/** The examples of the S3 documentation, with the credentials and the clock that they use. */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const signedAt = new Date('2013-05-24T00:00:00Z');
const host = 'examplebucket.s3.amazonaws.com';
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const scope = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';

function authorization(signedHeaders: string, signature: string): string {
  return `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${signedHeaders},Signature=${signature}`;
}

const get: SignedRequest = {
  method: 'GET',
  path: '/test.txt',
  query: '',
  headers: {
    host,
    range: 'bytes=0-9',
    'x-amz-content-sha256': nothing,
    'x-amz-date': '20130524T000000Z',
    authorization: authorization(
      'host;range;x-amz-content-sha256;x-amz-date',
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ),
  },
};

const put: SignedRequest = {
  method: 'PUT',
  path: '/test$file.text',
  query: '',
  headers: {
    host,
    date: 'Fri, 24 May 2013 00:00:00 GMT',
    'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    'x-amz-date': '20130524T000000Z',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    authorization: authorization(
      'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ),
  },
};

const address: SignedRequest = {
  method: 'GET',
  path: '/test.txt',
  query:
    'X-Amz-Algorithm=AWS4-HMAC-SHA256' +
    `&X-Amz-Credential=${encodeURIComponent(scope)}` +
    '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: { host },
};

function verify(request: SignedRequest, now = signedAt) {
  try {
    return verifySignature(request, credentials, now);
  } catch (error) {
    if (error instanceof StorageRefusal) return error.code;
    throw error;
  }
}

function later(seconds: number): Date {
  return new Date(signedAt.getTime() + seconds * 1000);
}

describe('verifySignature', () => {
  it('accepts the examples of the S3 documentation and returns the hashes of their bodies', () => {
    expect(verify(get)).toBe(nothing);
    expect(verify(put)).toBe(put.headers['x-amz-content-sha256']);
    expect(verify(address)).toBe('UNSIGNED-PAYLOAD');
  });

  it.each([
    { what: 'method', request: { ...get, method: 'HEAD' } },
    { what: 'path', request: { ...get, path: '/test.tx' } },
    { what: 'query', request: { ...get, query: 'versionId=1' } },
    { what: 'header', request: { ...get, headers: { ...get.headers, range: 'bytes=0-99' } } },
    { what: 'host', request: { ...get, headers: { ...get.headers, host: 'localhost' } } },
    { what: 'missing header', request: { ...get, headers: { ...get.headers, range: undefined } } },
    {
      what: 'body',
      request: { ...put, headers: { ...put.headers, 'x-amz-content-sha256': nothing } },
    },
    { what: 'address', request: { ...address, path: '/other.txt' } },
    { what: 'parameter', request: { ...address, query: `${address.query}&response-expires=x` } },
    { what: 'life', request: { ...address, query: address.query.replace('86400', '86401') } },
    { what: 'signature', request: { ...address, query: `${address.query.slice(0, -1)}5` } },
  ])('refuses another $what', ({ request }) => {
    expect(verify(request)).toBe('SignatureDoesNotMatch');
  });

  it('refuses unsigned headers', () => {
    const more = { ...get.headers, 'x-amz-acl': 'public-read' };
    expect(verify({ ...get, headers: more })).toBe('AccessDenied');
    expect(verify({ ...address, headers: { host, 'x-amz-acl': 'public-read' } })).toBe(
      'AccessDenied',
    );
  });

  it('refuses requests without a complete signature', () => {
    expect(verify({ ...get, headers: { host } })).toBe('AccessDenied');
    expect(verify({ ...address, query: 'X-Amz-Algorithm=AWS4-HMAC-SHA256' })).toBe(
      'AuthorizationHeaderMalformed',
    );
    expect(verify({ ...address, query: address.query.replace('=86400', '=9999999') })).toBe(
      'AuthorizationHeaderMalformed',
    );
    const twice = `${address.query}&X-Amz-Expires=1`;
    expect(verify({ ...address, query: twice })).toBe('InvalidArgument');
  });

  it('refuses other credentials', () => {
    const query = address.query.replace('us-east-1', 'eu-west-1');
    expect(verify({ ...address, query })).toBe('InvalidAccessKeyId');
    const secret = { ...credentials, secretAccessKey: 'another' };
    expect(() => verifySignature(address, secret, signedAt)).toThrow(StorageRefusal);
  });

  it('accepts an address until it expires', () => {
    expect(verify(address, later(86_399))).toBe('UNSIGNED-PAYLOAD');
    expect(verify(address, later(86_400))).toBe('AccessDenied');
    expect(verify(address, later(-901))).toBe('AccessDenied');
  });

  it('accepts a signed call for fifteen minutes', () => {
    expect(verify(get, later(900))).toBe(nothing);
    expect(verify(get, later(901))).toBe('RequestTimeTooSkewed');
    expect(verify(get, later(-901))).toBe('RequestTimeTooSkewed');
  });
});
