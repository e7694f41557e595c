import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readHeaders } from '#lib/http/parsers/read-request.ts';
import { contentDisposition } from '#lib/http/parsers/submission/submission-headers.ts';

const schema = v.object({ 'content-disposition': contentDisposition });

function parse(header: string | undefined) {
  const headers = header === undefined ? {} : { 'content-disposition': header };
  const reading = readHeaders(schema, { headers });
  return 'problems' in reading
    ? { name: undefined, problems: reading.problems }
    : { name: reading.output['content-disposition'], problems: [] };
}

function refused(message: string) {
  return {
    name: undefined,
    problems: [{ location: 'header', name: 'Content-Disposition', message }],
  };
}

const required = refused('This header is required: attachment; filename=<file.zip>');
const form = refused('It must be of the form: attachment; filename=<file.zip>');
const plain = refused('The file name must be a plain name without a path.');
const zip = refused('The file name must end in .zip.');
const long = refused('The file name is longer than 255 characters.');

describe('Content-Disposition', () => {
  it.each([
    { header: 'attachment; filename=job_file.zip', name: 'job_file.zip' },
    { header: 'attachment; filename="job_file.zip"', name: 'job_file.zip' },
    { header: 'attachment; filename="my job file.zip"', name: 'my job file.zip' },
    { header: 'attachment; filename="a \\"b\\".zip"', name: 'a "b".zip' },
    { header: 'Attachment;FileName=JOB.ZIP', name: 'JOB.ZIP' },
    { header: ' attachment ; filename = "a.zip" ', name: 'a.zip' },
    { header: "attachment; filename*=UTF-8''Zellk%C3%B6rper.zip", name: 'Zellkörper.zip' },
    { header: "attachment; filename*=utf-8'de'%E7%B4%B0.zip", name: '細.zip' },
    { header: "attachment; filename*=ISO-8859-1''caf%E9.zip", name: 'café.zip' },
    { header: "attachment; filename=a.zip; filename*=UTF-8''b.zip", name: 'b.zip' },
    { header: "attachment; filename*=UTF-8''b.zip; filename=a.zip", name: 'b.zip' },
    { header: 'attachment; size=1; filename=a.zip', name: 'a.zip' },
    { header: 'attachment; filename="tar.gz.zip"', name: 'tar.gz.zip' },
  ])('reads $name of $header', ({ header, name }) => {
    expect(parse(header)).toEqual({ name, problems: [] });
  });

  it('refuses a name that reads as another', () => {
    const name = encodeURIComponent('a\u202epiz.zip');
    expect(parse(`attachment; filename*=UTF-8''${name}`)).toEqual(plain);
  });

  it('reads UTF-8 that came byte for byte', () => {
    const header = Buffer.from('attachment; filename="細胞.zip"').toString('latin1');
    expect(parse(header)).toEqual({ name: '細胞.zip', problems: [] });
  });

  it.each([undefined, '', '   '])('needs the header, and not %j', (header) => {
    expect(parse(header)).toEqual(required);
  });

  it.each([
    'attachment',
    'attachment; filename',
    'attachment; filename=',
    'attachment; filename=""',
    'attachment; filename="job.zip',
    'attachment; name=job.zip',
    'inline; filename=job.zip',
    'form-data; name=file; filename=job.zip',
    'filename=job.zip',
    'job.zip',
    ';;;',
  ])('refuses %j', (header) => {
    expect(parse(header)).toEqual(form);
  });

  it.each([
    'attachment; filename=dir/job.zip',
    'attachment; filename="/etc/job.zip"',
    'attachment; filename="../job.zip"',
    'attachment; filename="..\\\\job.zip"',
    'attachment; filename="C:job.zip"',
    'attachment; filename="dir\\\\job.zip"',
    "attachment; filename*=UTF-8''dir%5Cjob.zip",
    "attachment; filename*=UTF-8''dir%2Fjob.zip",
    "attachment; filename*=UTF-8''..%2Fjob.zip",
    "attachment; filename*=UTF-8''..%5Cjob.zip",
    "attachment; filename*=UTF-8''job%00.zip",
    "attachment; filename*=UTF-8''job%0A.zip",
    "attachment; filename*=UTF-8''%1B[2J.zip",
    "attachment; filename*=UTF-8''job%C2%85.zip",
    'attachment; filename="job\u0000.zip"',
    'attachment; filename="job\u007f.zip"',
    'attachment; filename=.zip',
    'attachment; filename=.hidden.zip',
    'attachment; filename="..zip"',
  ])('refuses the name in %j', (header) => {
    expect(parse(header)).toEqual(plain);
  });

  it.each([
    'attachment; filename=job.tar',
    'attachment; filename=job',
    'attachment; filename=zip',
    'attachment; filename=jobzip',
    'attachment; filename=job.zip.exe',
    'attachment; filename="job.zip "',
    'attachment; filename="job.zip."',
    'attachment; filename=a.zip, attachment; filename=b.zip',
  ])('refuses what does not end in .zip: %j', (header) => {
    expect(parse(header)).toEqual(zip);
  });

  it('takes a name of 255 characters, and no longer one', () => {
    const longest = `${'x'.repeat(251)}.zip`;
    expect(parse(`attachment; filename=${longest}`)).toEqual({ name: longest, problems: [] });
    expect(parse(`attachment; filename=x${longest}`)).toEqual(long);
    expect(parse(`attachment; filename=${'x'.repeat(9000)}.zip`)).toEqual(long);
  });

  it('has no form at which the service fails', () => {
    const pieces = fc.constantFrom('attachment', ';', '=', '"', "'", '%', '*', 'filename', ' ');
    const text = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 12 });
    fc.assert(
      fc.property(text, (parts) => {
        const { name, problems } = parse(parts.join(''));
        expect(name === undefined).toBe(problems.length > 0);
      }),
    );
  });

  it('does not take a broken escape for a name', () => {
    expect(parse("attachment; filename*=UTF-8''%E7%B4.zip")).toEqual(form);
  });
});
