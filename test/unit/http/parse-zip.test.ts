import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  BodyTooLargeError,
  type FieldProblem,
  UnsupportedBodyError,
} from '../../../lib/http/errors.ts';
import { maxZipBytes, parseZip } from '../../../lib/http/parsers/parse-zip.ts';
import { apiEvent } from '../../fixtures/api-event.ts';
import { emptyZip } from '../../fixtures/zip.ts';

const path = '/jobs/hpc_one/';
const zipType = { 'content-type': 'application/zip' };

function parse(body: Buffer | undefined, headers: Record<string, string> = zipType) {
  const problems: FieldProblem[] = [];
  return { zip: parseZip(apiEvent({ path, headers, ...(body && { body }) }), problems), problems };
}

/** A body of so many bytes that begins as a zip does. */
function zipOf(bytes: number, signature = '504b0304'): Buffer {
  const body = Buffer.alloc(bytes);
  body.write(signature, 'hex');
  return body;
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

describe('parseZip', () => {
  it('weighs and hashes the bytes as they are', () => {
    expect(parse(emptyZip)).toEqual({
      zip: { bytes: 22, sha256: sha256(emptyZip) },
      problems: [],
    });
  });

  it('takes no body for a job without input', () => {
    const nothing = { zip: { bytes: 0, sha256: sha256(Buffer.alloc(0)) }, problems: [] };
    expect(parse(undefined)).toEqual(nothing);
    expect(parse(Buffer.alloc(0))).toEqual(nothing);
    expect(parse(undefined, {})).toEqual(nothing);
    expect(parse(undefined, { 'content-type': 'application/json' })).toEqual(nothing);
  });

  it.each(['504b0304', '504b0506', '504b0708'])('takes the signature %s', (signature) => {
    expect(parse(zipOf(30, signature)).problems).toEqual([]);
  });

  it.each([
    { what: 'text', body: Buffer.from('no zip') },
    { what: 'gzip', body: Buffer.from('1f8b0800', 'hex') },
    { what: 'a beginning', body: Buffer.from('504b03', 'hex') },
    { what: 'one byte', body: Buffer.from('P') },
    { what: 'another PK', body: Buffer.from('504b0102', 'hex') },
    { what: 'a zip behind something', body: Buffer.concat([Buffer.from(' '), emptyZip]) },
  ])('refuses $what', ({ body }) => {
    expect(parse(body)).toEqual({
      zip: undefined,
      problems: [{ location: 'body', name: 'body', message: 'It is not a zip file.' }],
    });
  });

  it('takes as much as one request carries, and no byte more', () => {
    expect(parse(zipOf(maxZipBytes)).zip?.bytes).toBe(4_500_000);
    expect(() => parse(zipOf(maxZipBytes + 1))).toThrow(BodyTooLargeError);
  });

  it('leaves room for the headers in an event of 6 MB', () => {
    const event = apiEvent({
      path,
      body: zipOf(maxZipBytes),
      headers: { ...zipType, payload: 'x'.repeat(8192) },
    });
    expect(JSON.stringify(event).length).toBeLessThan(6 * 1024 * 1024);
  });

  it('takes a zip of any binary type', () => {
    expect(parse(emptyZip, {}).problems).toEqual([]);
    expect(parse(emptyZip, { 'content-type': 'application/octet-stream' }).problems).toEqual([]);
  });

  it.each(['multipart/form-data; boundary=x', 'Multipart/Mixed'])(
    'refuses a body of %s',
    (type) => {
      expect(() => parse(emptyZip, { 'content-type': type })).toThrow(UnsupportedBodyError);
    },
  );

  it('refuses a body that the gateway has read as text', () => {
    const headers = { 'content-type': 'application/json' };
    const event = {
      ...apiEvent({ path, headers }),
      body: 'PK\u0003\u0004',
      isBase64Encoded: false,
    };
    expect(() => parseZip(event, [])).toThrow(UnsupportedBodyError);
  });
});
