import { describe, expect, it } from 'vitest';
import { unitOf, writeHours, writeNumber, writeSpace } from '#lib/mail/amounts.ts';

describe('amounts in mails', () => {
  it.each([
    [0, '0'],
    [0.999, '0.99'],
    [-0.25, '-0.25'],
    [1, '1'],
    [1.09, '1'],
    [-1.01, '-1.1'],
    [12_345.67, '12,345.6'],
  ])('are rounded down: %d is %s', (value, written) => {
    expect(writeNumber(value)).toBe(written);
  });

  it.each([
    [999, '999 KB'],
    [1_000, '1 MB'],
    [999_999, '999.9 MB'],
    [1_000_000, '1 GB'],
  ])('have a unit: %d kilobytes are %s', (kilobytes, written) => {
    expect(writeSpace(kilobytes)).toBe(written);
  });

  it('name one hour as such, and all others as hours of their system', () => {
    expect(writeHours(3600, unitOf('HPC_ONE'))).toBe('1 node-hour');
    expect(writeHours(1800, unitOf('HPC_ONE'))).toBe('0.5 node-hours');
    // A system that the catalog no longer has.
    expect(writeHours(0, unitOf('HPC_GONE'))).toBe('0 charged hours');
  });
});
