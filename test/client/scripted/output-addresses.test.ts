import { expect, it } from 'vitest';
import {
  hideSignature,
  readOutputAddress,
  writeOutputAddress,
} from '#client/src/jobs/output-addresses.ts';

it.each([
  ['out/*.nc=s3://lab/runs/', { files: 'out/*.nc', to: 's3://lab/runs/' }],
  [' a=b=https://h.org/x?y=https://z ', { files: 'a=b', to: 'https://h.org/x?y=https://z' }],
])('%s is read', (text, read) => {
  expect(readOutputAddress(text)).toEqual(read);
  expect(readOutputAddress(writeOutputAddress(read))).toEqual(read);
});

it.each(['', 'a.nc', 's3://lab/runs/', '=s3://lab/', 'a='])('%j is not read', (text) =>
  expect(readOutputAddress(text)).toBeUndefined(),
);

it.each([
  ['https://h.org/x?X-Amz-Signature=1', 'https://h.org/x'],
  ['s3://lab/a?b', 's3://lab/a?b'],
])('%s is shown as %s', (address, shown) => expect(hideSignature(address)).toBe(shown));
