import { describe, expect, it } from 'vitest';
import { JobNotFoundError } from '#lib/jobs/errors.ts';
import { createPasses, type Pass } from '#lib/jobs/passes/passes.ts';
import { hpcOne, hpcTwo, user } from '#test/fixtures/samples.ts';

const passes = createPasses('a secret of the tests');
const endsAt = new Date('2026-07-01T00:00:00Z');
const pass: Pass = {
  purpose: 'input',
  account: { user, hpc: hpcOne.hpc, project: hpcOne.project },
  jobId: hpcOne.jobId,
  endsAt,
};
const text = passes.write(pass);
const use = {
  purpose: 'input',
  jobId: hpcOne.jobId,
  at: new Date('2026-01-01T00:00:00Z'),
} as const;

describe('a pass', () => {
  it('says whose job it is for, in signs that need no quoting', () => {
    expect(passes.read(text, use)).toEqual(pass.account);
    expect(text).toMatch(/^306328\.hpc_one\.proj_hpc_one_01\.1782864000\.[\w-]{43}$/);
    expect(encodeURIComponent(text)).toBe(text);
  });

  it('is good until its end, and not a moment longer', () => {
    const before = new Date(endsAt.getTime() - 1);
    expect(passes.read(text, { ...use, at: before })).toEqual(pass.account);
    expect(() => passes.read(text, { ...use, at: endsAt })).toThrow(JobNotFoundError);
  });

  it('is good for its job and its purpose alone', () => {
    expect(() => passes.read(text, { ...use, purpose: 'results' })).toThrow(JobNotFoundError);
    expect(() => passes.read(text, { ...use, jobId: hpcTwo.jobId })).toThrow(JobNotFoundError);
  });

  it('is good for the secret that signed it alone', () => {
    expect(() => createPasses('another').read(text, use)).toThrow(JobNotFoundError);
  });

  it('is worth nothing with one sign changed', () => {
    for (const [index, sign] of [...text].entries()) {
      const changed = `${text.slice(0, index)}${sign === '1' ? '2' : '1'}${text.slice(index + 1)}`;
      expect(() => passes.read(changed, use), changed).toThrow(JobNotFoundError);
    }
  });

  it('is worth nothing when it is cut or grows', () => {
    for (let length = 0; length < text.length; length += 1) {
      expect(() => passes.read(text.slice(0, length), use)).toThrow(JobNotFoundError);
    }
    for (const other of [`${text}A`, `${text}=`, ` ${text}`, `${text}\n`, `0${text}`, `.${text}`]) {
      expect(() => passes.read(other, use), other).toThrow(JobNotFoundError);
    }
  });

  it.each(['', '....', 'a.b.c.d.e', '1.hpc_one.p.99999999999.', text.replaceAll('.', '..')])(
    'is not %j',
    (made) => {
      expect(() => passes.read(made, use)).toThrow(JobNotFoundError);
    },
  );

  it('is refused in the same words, whatever is wrong with it', () => {
    const wrong = [
      () => passes.read('', use),
      () => passes.read(text, { ...use, at: endsAt }),
      () => passes.read(text, { ...use, purpose: 'results' }),
    ];
    for (const read of wrong) expect(read).toThrow('Job not found');
  });
});
