import { describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { isJobId } from '#lib/catalog/identifiers.ts';
import { makeJobId } from '#lib/jobs/job-id.ts';
import { systemSamples } from '#test/fixtures/samples.ts';

describe.each(systemSamples)('makeJobId on $hpc', ({ hpc, program, jobIdForm, jobId }) => {
  const system = findSystem(catalog, hpc);

  it('has the form of the contract', () => {
    expect(jobId).toMatch(jobIdForm);
    expect(makeJobId(system, program)).toMatch(jobIdForm);
  });

  it('never gives the same twice', () => {
    const ids = Array.from({ length: 1000 }, () => makeJobId(system, program));
    expect(new Set(ids).size).toBe(1000);
  });

  it('is an identifier, also with the longest program there is', () => {
    const longest = 'X'.repeat(system.program.form === 'name' ? system.program.maxLength : 1);
    expect(isJobId(makeJobId(system, longest))).toBe(true);
  });
});

describe('makeJobId', () => {
  it('makes no identifier of a program that no key can hold', () => {
    const two = findSystem(catalog, 'hpc_two');
    expect(() => makeJobId(two, 'ls -lisa')).toThrow('NGBW-JOB-ls -lisa-');
  });
});

describe('isJobId', () => {
  it.each(['A', 'NGBW-JOB-A_1-0F', 'X'.repeat(128)])('takes %s', (text) => {
    expect(isJobId(text)).toBe(true);
  });

  it.each(['', 'a', 'A B', 'A#B', 'A/B', 'A\n', 'Ä', 'X'.repeat(129)])('refuses %j', (text) => {
    expect(isJobId(text)).toBe(false);
  });
});
