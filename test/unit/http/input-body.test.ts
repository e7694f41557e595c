import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BodyTooLargeError, UnsupportedBodyError } from '#lib/http/errors.ts';
import { inputBody, maxZipBytes } from '#lib/http/parsers/submission/input-body.ts';
import { apiEvent } from '#test/fixtures/api-event.ts';
import { emptyZip, zipOf } from '#test/fixtures/zip.ts';
import { craftZip } from '../zips/craft-zip.ts';

const path = '/jobs/hpc_one/';
const zipType = { 'content-type': 'application/zip' };

async function parse(body: Buffer | undefined, headers: Record<string, string> = zipType) {
  const reading = await inputBody.read(apiEvent({ path, headers, ...(body && { body }) }));
  return 'problems' in reading
    ? { zip: undefined, problems: reading.problems }
    : { zip: reading.output, problems: [] };
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

describe('the zip of a submission', () => {
  it.each([
    { what: 'an empty archive', body: emptyZip },
    { what: 'an archive with files', body: craftZip([{ name: 'a' }, { name: 'b/c' }]) },
  ])('takes $what as it is, with its hash', async ({ body }) => {
    expect(await parse(body)).toEqual({
      zip: { kind: 'inline', content: body, sha256: sha256(body) },
      problems: [],
    });
  });

  it('takes no body for a job without input', async () => {
    const nothing = { zip: { kind: 'none' }, problems: [] };
    expect(await parse(undefined)).toEqual(nothing);
    expect(await parse(Buffer.alloc(0))).toEqual(nothing);
    expect(await parse(undefined, {})).toEqual(nothing);
    expect(await parse(undefined, { 'content-type': 'application/json' })).toEqual(nothing);
  });

  it.each([
    { what: 'text', body: Buffer.from('no zip') },
    { what: 'gzip', body: Buffer.from('1f8b0800', 'hex') },
    { what: 'a beginning', body: Buffer.from('504b03', 'hex') },
    { what: 'one byte', body: Buffer.from('P') },
    { what: 'another PK', body: Buffer.from('504b0102', 'hex') },
    { what: 'a zip behind something', body: Buffer.concat([Buffer.from(' '), emptyZip]) },
  ])('refuses $what', async ({ body }) => {
    expect(await parse(body)).toEqual({
      zip: undefined,
      problems: [{ location: 'body', name: 'body', message: 'It is not a zip file.' }],
    });
  });

  it('refuses a zip that is not safe, with all that is wrong', async () => {
    const { zip, problems } = await parse(craftZip([{ name: '../a' }, { name: '/b' }]));
    expect(zip).toBeUndefined();
    expect(problems).toEqual([
      {
        location: 'body',
        name: 'body',
        message: "'../a': its path leads outside the archive.",
      },
      { location: 'body', name: 'body', message: "'/b': its path is absolute." },
    ]);
  });

  it('takes as much as one request carries, and no byte more', async () => {
    expect(maxZipBytes).toBe(4_500_000);
    expect((await parse(zipOf(maxZipBytes))).zip).toMatchObject({ kind: 'inline' });
    await expect(parse(zipOf(maxZipBytes + 1))).rejects.toThrow(BodyTooLargeError);
  });

  it('leaves room for the headers in an event of 6 MB', () => {
    const event = apiEvent({
      path,
      body: Buffer.alloc(maxZipBytes),
      headers: { ...zipType, payload: 'x'.repeat(8192) },
    });
    expect(JSON.stringify(event).length).toBeLessThan(6 * 1024 * 1024);
  });

  it('takes a zip of any binary type', async () => {
    expect((await parse(emptyZip, {})).problems).toEqual([]);
    const headers = { 'content-type': 'application/octet-stream' };
    expect((await parse(emptyZip, headers)).problems).toEqual([]);
    const unwrapped = { 'content-type': 'application/zip; from=multipart/mixed' };
    expect((await parse(emptyZip, unwrapped)).problems).toEqual([]);
  });

  it.each(['multipart/form-data; boundary=x', 'Multipart/Mixed'])(
    'refuses a body of %s',
    async (type) => {
      await expect(parse(emptyZip, { 'content-type': type })).rejects.toThrow(UnsupportedBodyError);
    },
  );

  it('refuses a body that the gateway has read as text', async () => {
    const headers = { 'content-type': 'application/json' };
    const event = {
      ...apiEvent({ path, headers }),
      body: 'PK\u0003\u0004',
      isBase64Encoded: false,
    };
    await expect(inputBody.read(event)).rejects.toThrow(UnsupportedBodyError);
    const untyped = { ...event, headers: {} };
    await expect(inputBody.read(untyped)).rejects.toThrow(new UnsupportedBodyError(''));
  });
});

describe('a zip that was sent before', () => {
  const headers = { ...zipType, 'upload-id': 'an id' };

  it('is named by a header, and then nothing is in the body', async () => {
    const zip = { kind: 'upload', uploadId: 'an id' };
    expect(await parse(undefined, headers)).toEqual({ zip, problems: [] });
  });

  it.each([
    { what: 'a zip', body: emptyZip },
    { what: 'something else', body: Buffer.from('no zip') },
    { what: 'more than one request carries', body: Buffer.alloc(maxZipBytes + 1) },
  ])('is refused together with $what', async ({ body }) => {
    expect(await parse(body, headers)).toEqual({
      zip: undefined,
      problems: [
        {
          location: 'header',
          name: 'Upload-Id',
          message: 'The request also has a body. Send the zip in one of the two ways.',
        },
      ],
    });
  });
});
