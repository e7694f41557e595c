import { expect, it } from 'vitest';
import { readInputAddress, writeInputAddress } from '#client/src/jobs/input-addresses.ts';

const sha256 = 'ab'.repeat(32);

it.each([
  ['https://h.org/a.nc=data/b.nc', { from: 'https://h.org/a.nc', to: 'data/b.nc' }],
  ['https://h.org/x?y=z=b.nc', { from: 'https://h.org/x?y=z', to: 'b.nc' }],
  [` https://h.org/d/a.nc,sha256=${sha256}`, { from: 'https://h.org/d/a.nc', to: 'a.nc', sha256 }],
  ['https://h.org/d/a.nc?k', { from: 'https://h.org/d/a.nc?k', to: 'a.nc' }],
])('%s is read', (text, read) => {
  expect(readInputAddress(text)).toEqual(read);
  expect(readInputAddress(writeInputAddress(read))).toEqual(read);
});

it.each(['', 'a.nc', 'https://h.org', 'https://h.org/', 'https://h.org/a/', '=a'])(
  '%j is not read',
  (text) => expect(readInputAddress(text)).toBeUndefined(),
);
