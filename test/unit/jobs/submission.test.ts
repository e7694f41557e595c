import { describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import {
  fingerprintSubmission,
  type InputSource,
  type Submission,
} from '#lib/jobs/submit/submission.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { submissionSample as sample } from '#test/fixtures/submission-sample.ts';
import { emptyZip } from '#test/fixtures/zip.ts';

describe('fingerprintSubmission', () => {
  const fingerprint = fingerprintSubmission(sample);

  it('is a hash', () => {
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is equal for the same wishes, in whatever order they came', () => {
    const turned = Object.fromEntries(Object.entries(sample).reverse());
    const copy: Submission = { ...sample, ...turned };
    expect(fingerprintSubmission(copy)).toBe(fingerprint);
    const extras = { init_file: 'a', python_option: 'b' };
    const turnedExtras = { python_option: 'b', init_file: 'a' };
    expect(fingerprintSubmission({ ...sample, extras })).toBe(
      fingerprintSubmission({ ...sample, extras: turnedExtras }),
    );
  });

  const two = findSystem(catalog, 'hpc_two');
  const inline = { kind: 'inline', content: emptyZip, sha256: 'a'.repeat(64) } as const;
  const from = (source: InputSource) => ({ input: { fileName: 'tool_job.zip', source } });
  const others: { what: string; change: Partial<Submission> }[] = [
    { what: 'owner', change: { owner: userId('1') } },
    { what: 'system', change: { system: findSystem(catalog, 'hpc_one') } },
    { what: 'project', change: { project: two.projects[1] ?? two.projects[0] } },
    { what: 'program', change: { program: 'OTHER' } },
    { what: 'nodes', change: { nodes: 3 } },
    { what: 'cores', change: { coresPerNode: 7 } },
    { what: 'runtime', change: { requestedRuntime: 2.5 } },
    { what: 'title', change: { title: 'a job titel' } },
    { what: 'extras', change: { extras: { init_file: 'other.py' } } },
    { what: 'name of an extra', change: { extras: { python_option: 'main.py' } } },
    { what: 'absence of extras', change: { extras: {} } },
    { what: 'file name', change: { input: { ...sample.input, fileName: 'x.zip' } } },
    { what: 'content', change: from({ ...inline, sha256: 'b'.repeat(64) }) },
    { what: 'absence of input', change: from({ kind: 'none' }) },
    { what: 'job to wait for', change: { waits: { after: [jobId('A')], afterAny: [] } } },
    { what: 'end to wait for', change: { waits: { after: [], afterAny: [jobId('A')] } } },
    {
      what: 'job that gives the input',
      change: { waits: { after: [], afterAny: [], input: { from: jobId('A') } } },
    },
    {
      what: 'folder of the input',
      change: { waits: { after: [], afterAny: [], input: { from: jobId('A'), folder: 'a' } } },
    },
    { what: 'upload', change: from({ kind: 'upload', uploadId: 'a' }) },
  ];

  it.each([
    {
      source: inline,
      expected: '2c9710424bfb5da4b4c995ab31a472272509282d5bbb596bd7f13ec18ab8a324',
    },
    {
      source: { kind: 'none' } as const,
      expected: 'bb81d2e5220918d50f0c51d2b37cda7be4129f29c37421becba36d44d79a5a65',
    },
    {
      source: { kind: 'upload', uploadId: 'an-upload' } as const,
      expected: '2ad614145c312e200162c528d9b465061ccdd88fcda4581ec39ff0f4aa049d7c',
    },
  ])('stays what it is: keys outlive a deployment ($source.kind)', ({ source, expected }) => {
    const extras = { python_option: '-v', init_file: 'main.py' };
    expect(fingerprintSubmission({ ...sample, extras, ...from(source) })).toBe(expected);
  });

  it.each(others)('differs by the $what', ({ change }) => {
    expect(fingerprintSubmission({ ...sample, ...change })).not.toBe(fingerprint);
  });

  it('differs between two uploads', () => {
    const [one, other] = ['a', 'b'].map((uploadId) =>
      fingerprintSubmission({ ...sample, ...from({ kind: 'upload', uploadId }) }),
    );
    expect(one).not.toBe(other);
  });

  it('keeps an extra apart from a wish of the same name', () => {
    const extras = { title: 'an extra' };
    expect(fingerprintSubmission({ ...sample, extras, title: 'one' })).not.toBe(
      fingerprintSubmission({ ...sample, extras, title: 'another' }),
    );
  });
});
