import { describe, expect, it } from 'vitest';
import { parseFields, refused } from '#test/fixtures/payloads.ts';
import { systemSamples } from '#test/fixtures/samples.ts';

const waitsOf = (sample: (typeof systemSamples)[number], fields: object) =>
  parseFields(sample, { ...fields }).payload?.waits;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `JOB-${index}`);

describe.each(systemSamples)('what a job of $hpc waits for', (sample) => {
  it('is nothing unless its payload says so', () => {
    expect(parseFields(sample, {}).payload).not.toHaveProperty('waits');
    expect(parseFields(sample, { after: [], after_any: '' }).payload).not.toHaveProperty('waits');
  });

  it.each([
    { after: ['A1', 'B2'] },
    { after: 'A1,B2' },
    { after: ' A1  B2 ' },
    { after: 'A1, B2' },
  ])('is read from $after', ({ after }) => {
    expect(waitsOf(sample, { after })).toEqual({ after: ['A1', 'B2'], afterAny: [] });
    expect(waitsOf(sample, { after_any: after })).toEqual({ after: [], afterAny: ['A1', 'B2'] });
  });

  it.each([
    { after: 7, message: 'It must be a list of job ids, or text with commas between them.' },
    { after: null, message: 'It must be a list of job ids, or text with commas between them.' },
  ])('may not be $after', ({ after, message }) => {
    expect(parseFields(sample, { after })).toEqual(refused('after', message));
  });

  it('has only ids of jobs', () => {
    const message = 'Each must be the job_id of a job.';
    expect(parseFields(sample, { after: ['A1', '../b'] })).toEqual(refused('after.1', message));
  });

  it('is at most 20 jobs, each counted once', () => {
    expect(parseFields(sample, { after: ids(20) }).problems).toEqual([]);
    expect(parseFields(sample, { after: ids(20), after_any: ids(20) }).problems).toEqual([]);
    const message = 'The job would wait for 21 others, but at most 20 are allowed.';
    expect(parseFields(sample, { after: ids(21) })).toEqual(refused('after', message));
    expect(parseFields(sample, { after_any: ids(21) })).toEqual(refused('after_any', message));
    expect(parseFields(sample, { after: ids(20), after_any: ['X'] })).toEqual(
      refused('after', message),
    );
  });
});
