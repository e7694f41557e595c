import { describe, expect, it } from 'vitest';
import { batchSample } from '#test/fixtures/batches.ts';
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
    { after: 7, message: 'It must be a list of ids, or text with commas between them.' },
    { after: null, message: 'It must be a list of ids, or text with commas between them.' },
  ])('may not be $after', ({ after, message }) => {
    expect(parseFields(sample, { after })).toEqual(refused('after', message));
  });

  it('has only ids of jobs', () => {
    const message = 'Each must be the id of a job or batch.';
    expect(parseFields(sample, { after: ['A1', '../b'] })).toEqual(refused('after.1', message));
  });

  it('may give the input, in a folder or in none', () => {
    expect(waitsOf(sample, { input_from: 'A1' })).toEqual({
      after: [],
      afterAny: [],
      input: { from: 'A1' },
    });
    expect(waitsOf(sample, { input_from: 'A1', input_folder: ' before ' })).toMatchObject({
      input: { from: 'A1', folder: 'before' },
    });
  });

  it('may give the results of a batch, with its failed jobs left out', () => {
    const from = batchSample.id;
    expect(waitsOf(sample, { input_from: from, input_failed: 'leave_out' })).toMatchObject({
      input: { from, leavesOutFailed: true },
    });
    for (const fields of [{}, { input_failed: 'refuse' }]) {
      const { input } = waitsOf(sample, { input_from: from, ...fields }) ?? {};
      expect(input).toEqual({ from, folder: undefined });
    }
  });

  it.each([
    {
      fields: { input_from: 7 },
      name: 'input_from',
      message: 'It must be the id of a job or batch.',
    },
    {
      fields: { input_folder: 'a' },
      name: 'input_folder',
      message: 'It needs input_from, which says whose results.',
    },
    {
      fields: { input_failed: 'leave_out' },
      name: 'input_failed',
      message: 'It needs input_from, which says whose results.',
    },
    {
      fields: { input_from: 'A1', input_failed: 'leave_out' },
      name: 'input_failed',
      message: 'leave_out needs a batch in input_from.',
    },
    {
      fields: { input_from: batchSample.id, input_failed: 'skip' },
      name: 'input_failed',
      message: 'It must be refuse or leave_out.',
    },
    {
      fields: { input_from: 'A', input_folder: '../a' },
      name: 'input_folder',
      message: 'It must be the name of one folder, without a path.',
    },
    {
      fields: { input_from: 'A', input_folder: 'a'.repeat(101) },
      name: 'input_folder',
      message: 'It must have at most 100 characters.',
    },
  ])('is refused with $fields', ({ fields, name, message }) => {
    expect(parseFields(sample, fields)).toEqual(refused(name, message));
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
