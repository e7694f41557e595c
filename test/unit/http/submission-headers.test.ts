import { describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { readHeaders } from '#lib/http/parsers/read-request.ts';
import { submissionHeaders } from '#lib/http/parsers/submission/submission-headers.ts';
import { hpcOne } from '#test/fixtures/samples.ts';

const schema = submissionHeaders(findSystem(catalog, 'hpc_one'));

/** The headers of a good submission with these besides. */
function read(more: Readonly<Record<string, string | undefined>>) {
  const headers = {
    payload: JSON.stringify(hpcOne.payload),
    'content-disposition': 'attachment; filename=a.zip',
    ...more,
  };
  return readHeaders(schema, { headers });
}

function parse(header: string | undefined) {
  const reading = read(header === undefined ? {} : { 'idempotency-key': header });
  return 'problems' in reading
    ? { key: undefined, problems: reading.problems }
    : { key: reading.output.idempotencyKey, problems: [] };
}

describe('Idempotency-Key', () => {
  it('is optional', () => {
    expect(parse(undefined)).toEqual({ key: undefined, problems: [] });
  });

  it.each(['1', 'a1b2-c3', '"quoted"', 'A#B', '!~', 'x'.repeat(255)])('takes %j', (header) => {
    expect(parse(header)).toEqual({ key: header, problems: [] });
  });

  it.each(['', ' ', 'two words', 'tab\t', 'new\nline', 'é', '\u0000', '\u007f', 'x'.repeat(256)])(
    'refuses %j',
    (header) => {
      expect(parse(header)).toEqual({
        key: undefined,
        problems: [
          {
            location: 'header',
            name: 'Idempotency-Key',
            message: 'It must have 1 to 255 visible ASCII characters without spaces.',
          },
        ],
      });
    },
  );
});

describe('Upload-Id', () => {
  const message = 'It must be an upload_id that POST /uploads/ returned.';

  it('is an id of ours', () => {
    expect(read({ 'upload-id': '8c1d5f0e-3b7a-4c62-9e0d-6a1b2c3d4e5f' })).toHaveProperty('output');
  });

  it.each(['', 'x', '8C1D5F0E-3B7A-4C62-9E0D-6A1B2C3D4E5F', '../a'])('is not %j', (header) => {
    expect(read({ 'upload-id': header })).toEqual({
      problems: [{ location: 'header', name: 'Upload-Id', message }],
    });
  });
});

describe('the headers of a submission', () => {
  it('are what the job is made of', () => {
    expect(read({ 'idempotency-key': 'a key', accept: '*/*' })).toHaveProperty('problems');
    expect(read({ 'idempotency-key': 'a-key', accept: '*/*' })).toEqual({
      output: {
        payload: expect.objectContaining({ program: hpcOne.program }),
        fileName: 'a.zip',
        idempotencyKey: 'a-key',
      },
    });
  });

  it('are refused with all that is wrong in them, in the order of the interface', () => {
    const reading = read({
      'upload-id': 'x',
      'idempotency-key': '',
      'content-disposition': undefined,
      payload: '{"a.b":1}',
    });
    const problems = 'problems' in reading ? reading.problems : [];
    expect(problems.map(({ location, name }) => `${location} ${name}`)).toEqual([
      'payload a.b',
      'payload command',
      'payload node_number',
      'payload core_number',
      'payload runtime',
      'header Content-Disposition',
      'header Idempotency-Key',
      'header Upload-Id',
    ]);
  });
});
